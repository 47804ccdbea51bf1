/// How lengths are rounded up, so that they tell less.
package enum Padding {
  /// Padmé (Nikitin et al., "Reducing Metadata Leakage from Encrypted Files", 2019): keeps as many leading bits
  /// as the length of the length has, at most 12 % more.
  package static func padme(_ length: Int) -> Int {
    guard length > 1 else { return max(0, length) }
    let exponent = Int.bitWidth - 1 - length.leadingZeroBitCount
    let kept = Int.bitWidth - exponent.leadingZeroBitCount
    let mask = 1 << max(0, exponent - kept) - 1
    return (length + mask) & ~mask
  }

  /// The length that a sealed file of `length` bytes is padded to: a head to a multiple of 1,024; any other kind
  /// to 400 or, above that, by Padmé.
  ///
  /// The file is the shortest possible one of at least this length: where a chunk would hold no byte, 1 to 17
  /// bytes longer.
  package static func paddedLength(of length: Int, kind: ContainerKind) -> Int {
    switch kind {
    case .head: (max(1, length) + 1023) & ~1023
    case .log, .snapshot, .fence: max(400, padme(length))
    }
  }
}
