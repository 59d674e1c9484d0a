import AppStore
import EntitlementDomain
import JSON
import Simulator
import Testing

struct NotificationForgeryTests {
    let desk: SigningDesk
    let reader: StatementReader

    init() throws {
        desk = try SigningDesk.shared.get()
        reader = try desk.reader()
    }

    private func read(_ text: String) throws -> Statement {
        try reader.readNotification(signedPayload: text, now: SigningDesk.now)
    }

    @Test(arguments: ["", "a.b", "a.b.c", "{}", "....."])
    func whatIsNoSignedTextIsMalformed(text: String) throws {
        #expect(try refusal { try read(text) } == .malformedStatement)
    }

    @Test func aSpoiledEnvelopeIsRefused() throws {
        #expect(try refusal { try read(SigningDesk.tampered(try desk.notification())) } == .invalidSignature)
        #expect(try refusal { try read(try desk.notification(as: desk.foreignChain.signer)) } == .invalidChain)
        #expect(try refusal { try read(try desk.notification(as: desk.foreignXcode.signer)) } == .invalidChain)
    }

    @Test func aSpoiledTextInsideAGenuineEnvelopeIsRefused() throws {
        let transaction = try desk.sign(desk.transaction())
        let renewalInfo = try desk.sign(desk.renewalInfo())
        func notification(_ transaction: String?, _ renewalInfo: String?) throws -> String {
            try desk.sign(desk.envelope(desk.data(transaction: transaction, renewalInfo: renewalInfo)))
        }
        #expect(try refusal { try read(try notification(transaction, renewalInfo)) } == nil)
        #expect(
            try refusal { try read(try notification(SigningDesk.tampered(transaction), renewalInfo)) }
                == .invalidSignature
        )
        #expect(
            try refusal { try read(try notification(transaction, SigningDesk.tampered(renewalInfo))) }
                == .invalidSignature
        )
        let foreign = try desk.sign(desk.transaction(), as: desk.foreignChain.signer)
        #expect(try refusal { try read(try notification(foreign, renewalInfo)) } == .invalidChain)
    }

    @Test func aCertificateOutOfItsDatesIsTemporary() throws {
        let error = #expect(throws: StatementError.self) {
            try read(try desk.notification(as: desk.expiredChain.signer))
        }
        #expect(error?.reason == .certificateExpired)
        #expect(error?.isTemporary == true)
        let inside = try desk.sign(
            desk.envelope(
                desk.data(transaction: try desk.sign(desk.transaction(), as: desk.expiredChain.signer))
            )
        )
        let errorInside = #expect(throws: StatementError.self) { try read(inside) }
        #expect(errorInside?.reason == .certificateExpired)
        #expect(errorInside?.isTemporary == true)
    }

    @Test func aForgeryIsNotTemporaryAndItsMessageNamesThePart() throws {
        let error = #expect(throws: StatementError.self) {
            try read(SigningDesk.tampered(try desk.notification()))
        }
        #expect(error?.isTemporary == false)
        #expect(error?.message == "The notification was refused. The signature does not belong to this statement.")
        #expect(error?.description.hasPrefix("invalidSignature: ") == true)
    }
}
