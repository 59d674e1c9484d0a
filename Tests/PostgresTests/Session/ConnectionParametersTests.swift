import Testing

@testable import Postgres

@Suite struct ConnectionParametersTests {
    private func parameters(_ text: String, settings: [String: String] = [:]) throws -> ConnectionParameters {
        try ConnectionParameters(PostgresConfiguration(connectionString: text, settings: settings))
    }

    @Test func readsBothForms() throws {
        let uri = try parameters("postgresql://me:p%40ss@db.example:5433/log?connect_timeout=7")
        #expect(uri.values["host"] == "db.example")
        #expect(uri.values["password"] == "p@ss")
        #expect(uri.connectTimeout == .seconds(7))
        let words = try parameters("host=db.example port=5433 dbname='my log' application_name=mine")
        #expect(words.values["dbname"] == "my log")
        #expect(words.values["application_name"] == "mine")
        #expect(words.values["fallback_application_name"] == "entitled")
        #expect(words.connectTimeout == .seconds(5))
        #expect(words.hostCount == 1)
    }

    @Test func whatTheStringSaysWinsOverDefaults() throws {
        let values = try parameters("tcp_user_timeout=5 client_encoding=LATIN1").values
        #expect(values["tcp_user_timeout"] == "5")
        // Except the encoding, on which all decoding rests.
        #expect(values["client_encoding"] == "UTF8")
    }

    @Test func aReadOnlySessionFindsThePrimaryAmongSeveralHosts() throws {
        let text = "host=a,b target_session_attrs=read-write"
        // What the session itself may is what libpq would ask for.
        let reading = try parameters(text, settings: ["default_transaction_read_only": "on"])
        #expect(reading.values["target_session_attrs"] == "primary")
        #expect(try parameters(text).values["target_session_attrs"] == "read-write")
        let standby = try parameters(
            "host=a,b target_session_attrs=standby",
            settings: ["default_transaction_read_only": "on"]
        )
        #expect(standby.values["target_session_attrs"] == "standby")
    }

    @Test func settingsAreAddedToTheOptions() throws {
        let values = try parameters("options='-c geqo=off'", settings: ["a.b": "x y", "work_mem": "1MB"]).values
        #expect(values["options"] == "-c geqo=off -c a.b=x\\ y -c work_mem=1MB")
    }

    @Test func hostsTurnTogetherWithTheirPorts() throws {
        let several = try parameters("host=a,b,c port=1,2,3")
        #expect(several.hostCount == 3)
        #expect(several.rotated(by: 0)["host"] == "a,b,c")
        #expect(several.rotated(by: 1)["host"] == "b,c,a")
        #expect(several.rotated(by: 2)["port"] == "3,1,2")
        #expect(try parameters("host=a,b port=5432").rotated(by: 1)["port"] == "5432")
    }

    @Test func derivedStringsNameTheSameServer() throws {
        let base = "postgresql://me:secret@db.example/log?host=%2Ftmp%2Fa%20b"
        let derived = try PostgresConfiguration.connectionString(base, database: "it's", user: "other")
        let values = try parameters(derived).values
        #expect(values["dbname"] == "it's")
        #expect(values["user"] == "other")
        #expect(values["password"] == nil)
        #expect(try parameters(PostgresConfiguration.connectionString(base, user: "me")).values["password"] == "secret")
    }
}
