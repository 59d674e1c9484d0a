import Foundation

/// Draws the rows of a soak: as text, and as SVG.
struct SoakGraph {
    /// One curve.
    struct Curve {
        var name: String
        var unit: String
        /// Seconds and value.
        var points: [(x: Double, y: Double)]

        var highest: Double { points.map(\.y).max() ?? 0 }
        var lowest: Double { points.map(\.y).min() ?? 0 }
    }

    let curves: [Curve]
    /// When faults were injected.
    let faults: [Double]

    init(_ rows: [SoakRow], faults: [Double]) {
        self.faults = faults
        var curves: [Curve] = []
        for place in rows.first?.memory.indices ?? 0..<0 {
            let points = rows.filter { $0.memory[place] > 0 }.map {
                (x: $0.seconds, y: Double($0.memory[place]) / 1_024)
            }
            let fate = place == 0 ? "never killed" : "killed now and then"
            curves.append(Curve(name: "memory of instance \(place + 1), \(fate)", unit: "MiB", points: points))
        }
        curves.append(
            Curve(name: "open files of instance 1", unit: "", points: rows.map { ($0.seconds, Double($0.files[0])) })
        )
        curves.append(
            Curve(
                name: "sessions of the database",
                unit: "",
                points: rows.compactMap { row in row.sessions.map { (row.seconds, Double($0)) } }
            )
        )
        curves.append(Self.rate("good answers", rows) { $0.done })
        curves.append(Self.rate("statements acknowledged", rows) { $0.acknowledged })
        curves.append(Self.rate("failed answers", rows) { $0.failures })
        curves.append(Curve(name: "slowest answer", unit: "ms", points: rows.map { ($0.seconds, $0.slowest) }))
        self.curves = curves
    }

    private static func rate(_ name: String, _ rows: [SoakRow], _ value: (SoakRow) -> Int) -> Curve {
        let points = zip(rows, rows.dropFirst()).map { before, after in
            (x: after.seconds, y: Double(value(after) - value(before)) / max(after.seconds - before.seconds, 0.001))
        }
        return Curve(name: name, unit: "/s", points: points)
    }

    /// Each curve as a line of blocks, one for each part of the time: the highest value there, between 0 and the highest
    /// of all.
    func text(width: Int = 100) -> String {
        let blocks = Array(" ▁▂▃▄▅▆▇█")
        let end = max(curves.flatMap { $0.points.map(\.x) }.max() ?? 1, 1)
        func column(_ x: Double) -> Int { min(Int(x / end * Double(width)), width - 1) }
        var lines: [String] = []
        for curve in curves {
            var columns = [Double?](repeating: nil, count: width)
            for point in curve.points { columns[column(point.x)] = max(columns[column(point.x)] ?? 0, point.y) }
            let scale = max(curve.highest, 0.000_001)
            let cells = columns.map { value in
                value.map { blocks[Int(($0 / scale * 8).rounded(.up))] } ?? " "
            }
            lines.append(
                String(format: "%@: %.1f to %.1f %@", curve.name, curve.lowest, curve.highest, curve.unit)
            )
            lines.append("|" + String(cells) + "|")
        }
        var marks = [Character](repeating: " ", count: width)
        for fault in faults { marks[column(fault)] = "x" }
        lines.append("faults: \(faults.count)")
        lines.append("|" + String(marks) + "|")
        lines.append(String(format: " 0%@%.0f s", String(repeating: " ", count: max(width - 6, 1)), end))
        return lines.joined(separator: "\n") + "\n"
    }

    /// All curves below each other, each on a scale of its own that begins at 0; faults as grey lines.
    func svg() -> String {
        let (width, height, gap, left) = (900.0, 90.0, 34.0, 60.0)
        let end = max(curves.flatMap { $0.points.map(\.x) }.max() ?? 1, 1)
        func x(_ seconds: Double) -> String { String(format: "%.1f", left + seconds / end * width) }
        var parts: [String] = []
        for (place, curve) in curves.enumerated() {
            let top = Double(place) * (height + gap) + 24
            let scale = max(curve.highest, 0.000_001)
            for fault in faults {
                parts.append(
                    "<line x1='\(x(fault))' x2='\(x(fault))' y1='\(top)' y2='\(top + height)' stroke='#ddd'/>"
                )
            }
            let line = curve.points.map { point in
                x(point.x) + "," + String(format: "%.1f", top + height - point.y / scale * height)
            }
            parts.append(
                """
                <text x='\(left)' y='\(top - 6)'>\(curve.name)</text>
                <text x='4' y='\(top + 10)'>\(String(format: "%.0f", curve.highest)) \(curve.unit)</text>
                <text x='4' y='\(top + height)'>0</text>
                <rect x='\(left)' y='\(top)' width='\(width)' height='\(height)' fill='none' stroke='#888'/>
                <polyline fill='none' stroke='#06c' stroke-width='1.2' points='\(line.joined(separator: " "))'/>
                """
            )
        }
        let total = Double(curves.count) * (height + gap) + 40
        parts.append("<text x='\(left)' y='\(total - 12)'>0 to \(Int(end)) s; grey: an injected fault</text>")
        return """
            <svg xmlns='http://www.w3.org/2000/svg' width='\(Int(width + left + 20))' height='\(Int(total))' \
            font-family='sans-serif' font-size='12'>
            <rect width='100%' height='100%' fill='white'/>
            \(parts.joined(separator: "\n"))
            </svg>

            """
    }
}
