/// An identifier as SQL, safe for any name: quotes, blanks, keywords, emoji.
package func quoted(_ identifier: String) -> String {
  var result = "\""
  // By scalar: a quote with a combining mark after it is one Character, unequal to a bare quote.
  for scalar in identifier.unicodeScalars {
    if scalar == "\"" { result.unicodeScalars.append(scalar) }
    result.unicodeScalars.append(scalar)
  }
  result += "\""
  return result
}
