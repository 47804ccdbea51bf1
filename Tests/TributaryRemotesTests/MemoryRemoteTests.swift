import Testing
import TributaryModel
import TributaryRemotes
import TributaryTesting

@Suite struct Memory {
  let log = RemoteName.log(alice, seq: 1)

  @Test func theWriterSeesAtOnceWhatOthersSeeLater() throws {
    let remote = MemoryRemote(seed: 5, faults: faults { $0.deliveryLag = 1_000_000 })
    _ = try remote.view(for: "a").publish(log, [1])
    #expect(try remote.view(for: "a").read(log).bytes == [1])
    #expect(try remote.view(for: "b").read(log) == .absent)
    remote.settle()
    #expect(try remote.view(for: "b").read(log).bytes == [1])
  }

  @Test func aFileCanBeReadBeforeItIsListed() throws {
    let remote = MemoryRemote(seed: 5, faults: faults { $0.listingLag = 1_000_000 })
    _ = try remote.view(for: "a").publish(log, [1])
    #expect(try remote.view(for: "b").read(log).bytes == [1])
    #expect(try remote.view(for: "b").list(device: alice).entries.isEmpty)
    remote.tick(1_000_001)
    #expect(try remote.view(for: "b").list(device: alice).entries.map(\.name) == [log])
  }

  @Test func laterFilesMayArriveFirstAndDeletesBeforeCreations() throws {
    var (reordered, deletedFirst) = (false, false)
    for seed in 0..<50 as Range<UInt64> {
      let remote = MemoryRemote(seed: seed, faults: faults { $0.deliveryLag = 20 })
      let (a, b) = (remote.view(for: "a"), remote.view(for: "b"))
      _ = try a.publish(log, [1])
      remote.settle()
      _ = try a.publish(.log(alice, seq: 2), [2])
      _ = try a.publish(.log(alice, seq: 3), [3])
      try a.delete(log)
      for _ in 0..<30 {
        let second = try b.read(.log(alice, seq: 2)).bytes
        if second == nil, try b.read(.log(alice, seq: 3)).bytes != nil { reordered = true }
        if second == nil, try b.read(log) == .absent { deletedFirst = true }
      }
      #expect(try b.read(log) == .absent && b.read(.log(alice, seq: 2)).bytes == [2])
    }
    #expect(reordered && deletedFirst)
  }

  @Test func everyFaultThatIsMetIsCounted() throws {
    let remote = MemoryRemote(
      seed: 4,
      faults: faults {
        $0.deliveryLag = 1_000_000
        $0.headLag = 0
      })
    let (a, b) = (remote.view(for: "a"), remote.view(for: "b"))
    remote.inject(.lostReply, for: "a")
    _ = try? a.publish(log, [1])
    _ = try a.publish(log, [1])
    #expect(remote.met.lostReplies == 1 && remote.met.repeatedPublications == 1)
    _ = try b.read(log)
    #expect(remote.met.lateArrivals == 1 && remote.met.overtaken == 0)
    remote.faults = Faults()
    _ = try a.publish(.log(alice, seq: 2), [2])
    _ = try b.read(log)
    #expect(remote.met.lateArrivals == 2 && remote.met.overtaken == 1)
    remote.faults = faults { $0.listingLag = 1_000_000 }
    _ = try a.publish(.log(alice, seq: 3), [3])
    _ = try b.list(device: alice)
    #expect(remote.met.lateListings == 1)
    remote.settle()
    try a.replace(.head(alice), [1])
    remote.faults = faults { $0.deliveryLag = 1_000_000 }
    try a.replace(.head(alice), [2])
    _ = try b.read(.head(alice))
    #expect(remote.met.staleReads == 1)
    try a.delete(log)
    _ = try a.read(log)
    #expect(remote.met.unseenDeletions == 1)
    remote.faults = Faults()
    remote.inject(.torn(keeping: 0, ticks: 9), for: "a")
    _ = try a.publish(.log(alice, seq: 4), [4])
    _ = try b.read(.log(alice, seq: 4))
    #expect(remote.met.tornReads == 1)
    remote.inject(.failure(.retryable), for: "b")
    _ = try? b.read(log)
    #expect(remote.met.failures == 1)
  }

  @Test func staleHeadsNeverGoBackInTime() throws {
    let remote = MemoryRemote(seed: 8, faults: faults { $0.headLag = 30 })
    var (last, wasStale) = (UInt8(0), false)
    for number in 1...200 as ClosedRange<UInt8> {
      try remote.view(for: "a").replace(.head(alice), [number])
      guard let seen = try remote.view(for: "b").read(.head(alice)).bytes?.first else { continue }
      #expect(seen >= last)
      if seen < number { wasStale = true }
      last = seen
    }
    #expect(wasStale && last > 100)
  }

  @Test func aLostReplyIsAWriteThatWasDone() throws {
    let remote = MemoryRemote()
    let view = remote.view(for: "a")
    remote.inject(.lostReply, for: "a")
    #expect(throws: RemoteError.self) { try view.publish(log, [1]) }
    #expect(try view.publish(log, [1]) == .alreadySame)
  }

  @Test func aTornFileBecomesWholeOrStaysTorn() throws {
    let remote = MemoryRemote()
    let (a, b) = (remote.view(for: "a"), remote.view(for: "b"))
    remote.inject(.torn(keeping: 2, ticks: 5), for: "a")
    _ = try a.publish(log, [1, 2, 3])
    #expect(try a.read(log).bytes == [1, 2, 3])
    guard case .bytes(let cut, let tag) = try b.read(log) else {
      Issue.record()
      return
    }
    #expect(cut == [1, 2])
    remote.tick(5)
    #expect(try b.read(log, ifNot: tag).bytes == [1, 2, 3])

    let other = RemoteName.log(alice, seq: 2)
    remote.inject(.torn(keeping: 1, ticks: nil), for: "a")
    _ = try a.publish(other, [4, 5])
    remote.settle()
    #expect(try a.read(other).bytes == [4])
    #expect(try a.publish(other, [4, 5]) == .conflict([4]))
    try a.delete(other)
    #expect(try a.publish(other, [4, 5]) == .created)
    #expect(try b.read(other).bytes == [4, 5])
  }

  @Test func aFullRemoteRefusesWritesAndStillReads() throws {
    let remote = MemoryRemote(faults: faults { $0.quota = 3 })
    let view = remote.view(for: "a")
    _ = try view.publish(log, [1, 2, 3])
    let error = #expect(throws: RemoteError.self) { try view.publish(.log(alice, seq: 2), [4]) }
    #expect(error?.code == .quota)
    #expect(try view.read(log).bytes == [1, 2, 3])
    #expect(try view.usage() == Usage(used: 3, available: 0))
    try view.delete(log)
    #expect(try view.publish(.log(alice, seq: 2), [4]) == .created)
  }

  @Test func aCappedListingSaysThatItIsNotComplete() throws {
    let remote = MemoryRemote(faults: faults { $0.listingCap = 2 })
    let view = remote.view(for: "a")
    for seq in 1...3 { _ = try view.publish(.log(alice, seq: UInt64(seq)), [1]) }
    let listing = try view.list(device: alice)
    #expect(listing.entries.count == 2 && !listing.complete)
  }

  @Test func theSameSeedGivesTheSameRun() throws {
    func run(_ seed: UInt64) -> [String] {
      let remote = MemoryRemote(
        seed: seed,
        faults: faults {
          $0.deliveryLag = 5
          $0.failuresPerMille = 200
          $0.lostRepliesPerMille = 200
          $0.tornPerMille = 200
        })
      for seq in 0..<100 as Range<UInt64> {
        _ = try? remote.view(for: "a").publish(.log(alice, seq: seq), [1, 2, 3])
        _ = try? remote.view(for: "b").read(.log(alice, seq: seq))
      }
      return remote.trace
    }
    #expect(run(1) == run(1))
    #expect(run(1) != run(2))
  }

  private func faults(_ change: (inout Faults) -> Void) -> Faults {
    var faults = Faults()
    change(&faults)
    return faults
  }
}
