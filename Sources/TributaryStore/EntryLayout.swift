import TributaryModel

/// Where the fields of an entry belong in its table. Neighbouring entries mostly have the same ones, so one layout serves
/// many.
struct EntryLayout {
  /// A field of the entry.
  struct Place {
    /// Its position among the table's synced fields.
    let position: Int
    /// Its local number.
    let number: Int
  }

  let names: [String]
  /// In the order of the entry's fields.
  let places: [Place]
  /// For each field of the table where the entry has it; nil where it does not.
  let sources: [Int?]
  let mask: FieldMask

  /// Nil if the table lacks one of the fields.
  init?(_ fields: [Field], _ shape: TableShape) {
    names = fields.map(\.name)
    var places: [Place] = []
    var sources = [Int?](repeating: nil, count: shape.fields.count)
    for (index, name) in names.enumerated() {
      guard let position = shape.fields.firstIndex(where: { $0.name.isSame(as: name) }),
        sources[position] == nil
      else { return nil }
      sources[position] = index
      places.append(Place(position: position, number: shape.fields[position].field))
    }
    self.places = places
    self.sources = sources
    mask = FieldMask(places.map(\.number))
  }

  /// Whether the entry has these fields, in this order.
  func fits(_ fields: [Field]) -> Bool {
    guard fields.count == names.count else { return false }
    for index in fields.indices where !fields[index].name.isSame(as: names[index]) { return false }
    return true
  }
}
