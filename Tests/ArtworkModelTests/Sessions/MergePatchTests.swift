import TestSupport

@testable import ArtworkModel

@Suite struct MergePatchTests {
  private func value(_ json: String) throws -> JSONNode { try JSONReader.read(Array(json.utf8)) }

  /// The examples of RFC 7396, appendix A.
  @Test(arguments: [
    (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
    (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#),
    (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
    (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
    (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
    (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
    (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
    (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
    (#"{"a":"foo"}"#, #"null"#, #"null"#),
    (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
    (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
    (#"[1,2]"#, #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
    (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
  ])
  func `a patch is merged as RFC 7396 shows`(from: String, patch: String, to: String) throws {
    #expect(try value(from).merging(value(patch)) == value(to))
  }

  @Test(arguments: [
    (#"{}"#, #"{"a":1}"#, #"{"a":1}"#), (#"{"a":1,"b":2}"#, #"{"b":2}"#, #"{"a":null}"#),
    (#"{"a":{"b":1,"c":[true]},"d":"x"}"#, #"{"a":{"b":2,"c":[true]},"d":"x"}"#, #"{"a":{"b":2}}"#),
    (#"{"a":1}"#, #"{"a":1}"#, #"{}"#), (#"{"a":{"b":1}}"#, #"{"a":[]}"#, #"{"a":[]}"#),
  ])
  func `the patch between two values names what differs`(
    from: String, to: String, patch: String
  ) throws {
    #expect(try value(to).patch(of: value(from)) == value(patch))
    #expect(try value(from).merging(value(patch)) == value(to))
  }
}
