public import TributaryModel
import TributaryStore

#if canImport(FoundationEssentials)
  public import struct FoundationEssentials.URL
#else
  public import struct Foundation.URL
#endif

extension Store {
  /// Opens the database at a file URL, as ``open(at:schema:)`` does at a path.
  ///
  /// - Throws: also ``StoreError`` with `.notAFile` when the URL is of another kind.
  public static func open(at url: URL, schema: Schema) async throws -> Store {
    guard url.isFileURL else {
      throw StoreError(.notAFile, "The URL “\(url)” is not one of a file. Make it with `URL(filePath:)`.")
    }
    return try await open(at: url.path, schema: schema)
  }
}

extension StoreError.Code {
  /// A URL that does not name a file.
  public static let notAFile = StoreError.Code("notAFile")
}
