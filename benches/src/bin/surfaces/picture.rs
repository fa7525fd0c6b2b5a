//! Pictures of the figures, as SVG that reads well on a light and on a dark page.

use core::fmt::Write as _;

use patchwire_benches::markdown::figure;

const WIDTH: f64 = 760.0;
/// The column of the names.
const NAMES: f64 = 270.0;
const ROW: f64 = 24.0;
const TOP: f64 = 36.0;
/// Room for the figure behind a bar.
const FIGURE: f64 = 70.0;

/// One bar a form.
pub(crate) fn bars(names: &[&str], costs: &[f64]) -> String {
    let most = costs.iter().copied().fold(1.0, f64::max);
    let mut svg = Svg::new(TOP + ROW * names.len() as f64 + 10.0);
    svg.text(0.0, 18.0, "title", "Nanoseconds for a chunk of four bytes, 10 KB report");
    for (row, (name, cost)) in names.iter().zip(costs).enumerate() {
        let y = TOP + ROW * row as f64;
        let width = (cost / most * (WIDTH - NAMES - FIGURE)).max(1.0);
        svg.text(0.0, y + 15.0, "", name);
        svg.bar(NAMES, y + 3.0, width);
        svg.text(NAMES + width + 6.0, y + 15.0, "", &figure(*cost));
    }
    svg.end()
}

/// One line a form over the sizes, both axes logarithmic.
pub(crate) fn growth(names: &[&str], sizes: &[&str], columns: &[Vec<f64>]) -> String {
    let shown = [0, 4, 5, 6, 11];
    let height = 300.0;
    let (left, right, bottom) = (60.0, WIDTH - 250.0, TOP + height);
    let all = || columns.iter().flat_map(|column| shown.iter().map(|&at| column[at].max(1.0)));
    let (low, high) =
        (all().fold(f64::MAX, f64::min).log10().floor(), all().fold(1.0, f64::max).log10().ceil());
    let y = |cost: f64| bottom - (cost.max(1.0).log10() - low) / (high - low).max(1.0) * height;
    let x = |at: usize| left + (right - left) * at as f64 / (sizes.len() - 1) as f64;
    let mut svg = Svg::new(bottom + 40.0);
    svg.text(
        0.0,
        18.0,
        "title",
        "Nanoseconds for a chunk of four bytes, by the length of the answer",
    );
    let mut power = low;
    while power <= high {
        let cost = 10_f64.powf(power);
        svg.line(&[(left, y(cost)), (right, y(cost))], "grid");
        svg.text(0.0, y(cost) + 4.0, "", &figure(cost));
        power += 1.0;
    }
    for (at, size) in sizes.iter().enumerate() {
        svg.text(x(at) - 18.0, bottom + 22.0, "", size);
    }
    let mut last = f64::MAX;
    let mut order = shown;
    order.sort_by(|a, b| columns[sizes.len() - 1][*a].total_cmp(&columns[sizes.len() - 1][*b]));
    for at in order {
        let points: Vec<(f64, f64)> =
            columns.iter().enumerate().map(|(size, column)| (x(size), y(column[at]))).collect();
        svg.line(&points, "line");
        // Labels of lines that end close to each other are moved apart.
        last = (y(columns[sizes.len() - 1][at]) + 4.0).min(last - 15.0);
        svg.text(right + 10.0, last, "", names[at]);
    }
    svg.end()
}

/// A picture that is being drawn.
struct Svg(String);

impl Svg {
    fn new(height: f64) -> Self {
        let mut out = String::new();
        let _ = write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" font-family=\"sans-serif\" \
             font-size=\"13\">\n<style>text{{fill:#24292f}}.title{{font-weight:bold}}rect{{fill:#3b7dd8}}.grid{{stroke:#8886}}\
             .line{{stroke:#3b7dd8;stroke-width:2;fill:none}}@media(prefers-color-scheme:dark){{text{{fill:#e6edf3}}rect{{fill:#79b8ff}}\
             .line{{stroke:#79b8ff}}}}</style>\n"
        );
        Self(out)
    }

    fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        let text = text.replace('`', "").replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(self.0, "<text x=\"{x:.0}\" y=\"{y:.0}\" class=\"{class}\">{text}</text>");
    }

    fn bar(&mut self, x: f64, y: f64, width: f64) {
        let _ = writeln!(
            self.0,
            "<rect x=\"{x:.0}\" y=\"{y:.0}\" width=\"{width:.1}\" height=\"16\" rx=\"2\"/>"
        );
    }

    fn line(&mut self, points: &[(f64, f64)], class: &str) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.0},{y:.0}")).collect();
        let _ = writeln!(self.0, "<polyline points=\"{}\" class=\"{class}\"/>", points.join(" "));
    }

    fn end(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }
}
