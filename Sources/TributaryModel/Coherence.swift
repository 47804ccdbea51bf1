extension RecordState {
  /// What is wrong with the order of the stamps within; nil if nothing is.
  ///
  /// Only an entry's latest stamps are compared with the wall clock. So no other stamp may be later than they are:
  /// one from the far future would outlive every delete, and win for ever.
  package var incoherence: String? {
    for field in fields {
      if let problem = field.incoherence { return "field \(field.name): \(problem)" }
    }
    return nil
  }
}

extension Field {
  fileprivate var incoherence: String? {
    switch content {
    case .register(let register): return register.incoherence
    case .counter(let counter):
      for total in counter.totals where total.base > total.stamp || total.root > total.base {
        return "a total before its base"
      }
      for total in counter.totals where total.device != total.stamp.device {
        return "a total with another device's stamp"
      }
      return counter.base?.incoherence
    case .set: return nil
    }
  }
}

extension Register {
  fileprivate var incoherence: String? { root > stamp ? "an edit before its insert" : nil }
}
