import JSON
import Simulator
import Testing

/// What a faulty file is told: file, line, place and what was expected.
@Suite struct ScenarioFileErrorTests {
    private func problems(_ text: String, catalog: JSONValue? = Fixtures.catalog) -> [ScenarioProblem] {
        do throws(ScenarioFileError) {
            _ = try ScenarioFile.parse(Array(text.utf8), fileName: "story.json", defaultCatalog: catalog)
            return []
        } catch {
            return error.problems
        }
    }

    @Test(arguments: [
        (#"{"deliveries":[],"#, "", "not JSON: the document ends inside a value"),
        (#"[]"#, "", "expected a scenario (an object), found []"),
        (#"{"deliveries":5}"#, "/deliveries", "expected an array of deliveries, found 5"),
        (#"{"deliveries":[],"delivery":1}"#, "/delivery", "unknown key \"delivery\"; expected one of name, about,"),
        (#"{"deliveries":[],"name":5}"#, "/name", "expected text, found 5"),
        (#"{"deliveries":[],"about":""}"#, "/about", "expected text, found \"\""),
        (#"{"deliveries":[],"orders":"any"}"#, "/orders", "expected \"listed\" or \"all\", found \"any\""),
        (#"{"deliveries":[],"repeat":"yes"}"#, "/repeat", "expected true or false, found \"yes\""),
        (#"{"deliveries":[],"catalog":[]}"#, "/catalog", "expected a catalog (an object), found []"),
        (#"{"deliveries":[],"catalog":{}}"#, "/catalog/products", "expected an array of products, found nothing"),
        (#"{"deliveries":[],"policy":1}"#, "/policy", "expected the settings (an object), found 1"),
        (#"{"deliveries":[],"policy":{"grace":1}}"#, "/policy/grace", "unknown key \"grace\""),
        (#"{"deliveries":[],"policy":{"ownership":"mine"}}"#, "/policy/ownership", "expected \"keepWithOwner\" or"),
        (#"{"deliveries":[],"policy":{"renewalLeeway":"6h"}}"#, "/policy/renewalLeeway", "ISO 8601 duration"),
        (#"{"deliveries":[],"policy":{"acceptXcode":1}}"#, "/policy/acceptXcode", "expected true or false, found 1"),
        (#"{"deliveries":[],"policy":{"environments":["a",1]}}"#, "/policy/environments", "environment names"),
        (#"{"deliveries":[],"name":"a","name":"b"}"#, "/name", "stands already in line 1"),
    ])
    func aFaultyFileIsRefused(text: String, pointer: String, message: String) throws {
        let problem = try #require(problems(text).first)
        #expect(problem.pointer == pointer)
        #expect(problem.message.contains(message))
        #expect(problem.file == "story.json")
    }

    @Test func aFileWithNoCatalogAtAllIsRefused() throws {
        let problem = try #require(problems(#"{"deliveries":[]}"#, catalog: nil).first)
        #expect(problem.message.contains("no catalog"))
    }

    @Test(arguments: [
        (#"5"#, "", "expected a delivery (an object), found 5"),
        (#"{"at":"2026-03-01","notification":{"notificationType":"A"}}"#, "/id", "expected text, found nothing"),
        (#"{"id":"a","notification":{"notificationType":"A"}}"#, "/at", "expected a date as ISO 8601 text"),
        (#"{"id":"a","at":"soon","notification":{"notificationType":"A"}}"#, "/at", "found \"soon\""),
        (#"{"id":"a","at":"2026-02-30","notification":{"notificationType":"A"}}"#, "/at", "found \"2026-02-30\""),
        (#"{"id":"a","at":"2026-03-01"}"#, "", "exactly one of notification, upload, receipt, rpc, found none of them"),
        (#"{"id":"a","at":"2026-03-01","rpc":{"method":"x"},"upload":{}}"#, "", "found upload and rpc"),
        (#"{"id":"a","at":"2026-03-01","rpc":{"method":"x"},"when":1}"#, "/when", "unknown key \"when\""),
        (#"{"id":"a","at":"2026-03-01","rpc":{"method":"x"},"tamper":"chain"}"#, "/tamper", "no signed text"),
        (#"{"id":"a","at":"2026-03-01","rpc":5}"#, "/rpc", "expected a call"),
        (#"{"id":"a","at":"2026-03-01","rpc":{}}"#, "/rpc/method", "expected text, found nothing"),
        (#"{"id":"a","at":"2026-03-01","rpc":{"method":"x","params":[]}}"#, "/rpc/params", "parameters by name"),
        (#"{"id":"a","at":"2026-03-01","rpc":{"method":"x","id":1}}"#, "/rpc/id", "unknown key"),
        (#"{"id":"a","at":"2026-03-01","upload":{}}"#, "/upload/transaction", "expected a transaction"),
        (#"{"id":"a","at":"2026-03-01","upload":{"transaction":1}}"#, "/upload/transaction", "expected an object"),
        (#"{"id":"a","at":"2026-03-01","upload":{"transaction":{},"who":1}}"#, "/upload/who", "unknown key"),
        (#"{"id":"a","at":"2026-03-01","upload":{"transaction":{},"account":"me"}}"#, "/upload/account", "a UUID or"),
        (
            #"{"id":"a","at":"2026-03-01","upload":{"transaction":{"expiresDate":"later"}}}"#,
            "/upload/transaction/expiresDate", "expected a date as ISO 8601 text"
        ),
        (
            #"{"id":"a","at":"2026-03-01","upload":{"transaction":{},"renewalInfoRaw":{"a":1}}}"#,
            "/upload/renewalInfoRaw", "there is no \"renewalInfo\" to merge it over"
        ),
        (#"{"id":"a","at":"2026-03-01","notification":{}}"#, "/notification/notificationType", "expected text"),
    ])
    func aFaultyDeliveryIsRefused(text: String, pointer: String, message: String) throws {
        let problem = try #require(problems(#"{"deliveries":[\#(text)]}"#).first)
        #expect(problem.pointer == "/deliveries/0" + pointer)
        #expect(problem.message.contains(message), "\(problem)")
    }

    @Test(arguments: [
        (#""notificationType":5"#, "/notificationType", "expected text or null, found 5"),
        (#""notificationType":"A","type":5"#, "/type", "unknown key \"type\""),
        (#""notificationType":"A","status":"1""#, "/status", "expected a number or null, found \"1\""),
        (#""notificationType":"A","signedDate":"now""#, "/signedDate", "expected a date"),
        (#""notificationType":"A","data":{}"#, "/data", "only null is possible here"),
        (#""notificationType":"A","data":null,"transaction":{}"#, "/transaction", "which \"data\": null leaves out"),
        (#""notificationType":"A","raw":5"#, "/raw", "expected an object, found 5"),
        (#""notificationType":"A","transactionRaw":{"a":1}"#, "/transactionRaw", "there is no \"transaction\""),
        (
            #""notificationType":"A","renewalInfo":{"renewalDate":"x"}"#, "/renewalInfo/renewalDate",
            "expected a date"
        ),
    ])
    func aFaultyNotificationIsRefused(members: String, pointer: String, message: String) throws {
        let text = #"{"deliveries":[{"id":"a","at":"2026-03-01","notification":{\#(members)}}]}"#
        let problem = try #require(problems(text).first)
        #expect(problem.pointer == "/deliveries/0/notification" + pointer)
        #expect(problem.message.contains(message), "\(problem)")
    }

    @Test(arguments: [
        ("notification", #"{}"#, "", "expected one of http, refused, found none of them"),
        ("notification", #"{"http":"200"}"#, "/http", "expected an HTTP status, found \"200\""),
        ("notification", #"{"http":20}"#, "/http", "expected an HTTP status, found 20"),
        ("notification", #"{"http":200,"refused":true}"#, "", "answered 4xx, not 200"),
        ("notification", #"{"error":"x"}"#, "/error", "unknown key \"error\"; expected one of http, refused"),
        ("notification", #"{"refused":"true"}"#, "/refused", "expected true or false"),
        ("upload", #"{"http":200}"#, "/http", "unknown key \"http\"; expected one of error, refused, result"),
        ("upload", #"{"error":5}"#, "/error", "expected text, found 5"),
        ("upload", #"{"error":"x","result":{}}"#, "", "a call has a result or fails, not both"),
        ("upload", #"{"refused":true,"result":{}}"#, "", "a call has a result or fails, not both"),
        ("upload", #"5"#, "", "expected an answer (an object), found 5"),
    ])
    func aFaultyAnswerIsRefused(kind: String, answer: String, pointer: String, message: String) throws {
        let content = kind == "upload" ? #"{"transaction":{}}"# : #"{"notificationType":"A"}"#
        let text = #"{"deliveries":[{"id":"a","at":"2026-03-01","\#(kind)":\#(content),"answer":\#(answer)}]}"#
        let problem = try #require(problems(text).first)
        #expect(problem.pointer == "/deliveries/0/answer" + pointer)
        #expect(problem.message.contains(message), "\(problem)")
    }

    @Test(arguments: [
        (#"5"#, "", "expected an expectation (an object), found 5"),
        (#"{"account":"U1","balances":{}}"#, "/at", "expected a date as ISO 8601 text"),
        (#"{"at":"2026-03-01","balances":{}}"#, "", "account or originalTransactionId, found neither"),
        (
            #"{"at":"2026-03-01","account":"U1","originalTransactionId":"1","balances":{}}"#, "",
            "account or originalTransactionId, found both"
        ),
        (#"{"at":"2026-03-01","account":"X1","balances":{}}"#, "/account", "a UUID or one of the names U1 ... U9"),
        (#"{"at":"2026-03-01","originalTransactionId":1,"balances":{}}"#, "/originalTransactionId", "expected text"),
        (#"{"at":"2026-03-01","account":"U1"}"#, "", "nothing is expected"),
        (#"{"at":"2026-03-01","account":"U1","entitlement":"pro"}"#, "/is", "expected the values of the entry"),
        (#"{"at":"2026-03-01","account":"U1","is":{}}"#, "/entitlement", "expected text, found nothing"),
        (#"{"at":"2026-03-01","account":"U1","balances":{"coins":"5"}}"#, "/balances/coins", "expected a number"),
        (#"{"at":"2026-03-01","account":"U1","eventTypes":["A",5]}"#, "/eventTypes", "an array of event types"),
        (#"{"at":"2026-03-01","account":"U1","balances":{},"error":"x"}"#, "/error", "\"error\" goes with \"rpc\""),
        (#"{"at":"2026-03-01","rpc":{"method":"x"}}"#, "", "either \"is\" or \"error\""),
        (#"{"at":"2026-03-01","rpc":{"method":"x"},"is":1,"error":"x"}"#, "", "either \"is\" or \"error\""),
        (#"{"at":"2026-03-01","rpc":{"method":"x"},"is":1,"balances":{}}"#, "/balances", "asks its own question"),
        (#"{"at":"2026-03-01","account":"U1","balances":{},"when":1}"#, "/when", "unknown key \"when\""),
        (#"{"at":"2026-03-01","account":"U1","balances":{},"after":"d9"}"#, "/after", "no delivery with the id \"d9\""),
    ])
    func aFaultyExpectationIsRefused(text: String, pointer: String, message: String) throws {
        let problem = try #require(problems(#"{"deliveries":[],"expect":[\#(text)]}"#).first)
        #expect(problem.pointer == "/expect/0" + pointer)
        #expect(problem.message.contains(message), "\(problem)")
    }

    @Test func deliveriesHaveDifferentIds() throws {
        let delivery = #"{"id":"a","at":"2026-03-01","rpc":{"method":"x"}}"#
        let problem = try #require(problems("{\"deliveries\":[\(delivery),\n\(delivery)]}").first)
        #expect(
            problem.description
                == "story.json:2:7: /deliveries/1/id: the id \"a\" is taken by delivery 0; ids are unique in a file"
        )
    }

    @Test func allProblemsAreToldAtOnceInTheOrderOfTheFile() {
        let text = """
            {
              "deliveries": [
                { "id": "d1", "at": "never", "notification": { "notificationType": "A", "stat": 1 } },
                { "id": "d2", "at": "2026-03-01", "upload": { "transaction": { "purchaseDate": "x" } } }
              ],
              "expect": [ { "after": "d1", "at": "2026-03-01", "account": "U1" } ],
              "orders": "some"
            }
            """
        let found = problems(text)
        #expect(found.map(\.line) == [3, 3, 4, 6, 7])
        #expect(
            found.map(\.pointer) == [
                "/deliveries/0/at", "/deliveries/0/notification/stat",
                "/deliveries/1/upload/transaction/purchaseDate", "/expect/0", "/orders",
            ]
        )
        let place = "story.json:3:25: /deliveries/0/at: "
        let message = #"expected a date as ISO 8601 text such as "2026-04-01T00:00:00Z", found "never""#
        #expect(found.first?.description == place + message)
    }
}
