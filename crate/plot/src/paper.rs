//! Parts of a result for a paper: figures as pgfplots source with their numbers, a paragraph on the
//! method, and its references as BibTeX.

use backfill_experiment::composition::{preset_of, presets};
use backfill_experiment::expression::Preset;
use backfill_experiment::scenario::{KEYS, PolicySpec, Scenario, ValueKind};
use backfill_experiment::words::listed;
use backfill_sim::metrics::METRICS;

use crate::answer::{Answer, notes, printed_unit, values};
use crate::chart::{Chart, Names};
use crate::colour::{SERIES_STYLES, Theme};
use crate::scale::Scale;
use crate::svg::{self, Ink};

/// Width and height in pixels of a chart for the screen.
pub const SCREEN: (u32, u32) = (720, 440);

/// Pixels of a chart to the inch on paper, so that labels of 12 pixels have 8 points.
const PIXELS_TO_THE_INCH: f64 = 12.0 * 72.0 / 8.0;

/// Height of a figure by its width.
const ASPECT: f64 = 0.62;

/// A chart as a file of its own: for the screen, or with a width in inches for paper, with labels
/// of 8 points.
pub(crate) fn document(chart: &Chart, inches: Option<f64>) -> String {
    let Some(inches) = inches else {
        return svg::render(chart, SCREEN, &Theme::LIGHT, Ink::Values);
    };
    let width = (inches * PIXELS_TO_THE_INCH) as u32;
    let height = (inches * PIXELS_TO_THE_INCH * ASPECT) as u32;
    let document = svg::render(chart, (width, height), &Theme::LIGHT, Ink::Values);
    let on_screen = format!("width=\"{width}\" height=\"{height}\"");
    let size = |pixels: u32| f64::from(pixels) / PIXELS_TO_THE_INCH;
    let on_paper = format!("width=\"{}in\" height=\"{}in\"", size(width), size(height));
    document.replacen(&on_screen, &on_paper, 1)
}

/// The numbers of a chart as CSV: a line for each position of x, and for each series its mean and
/// half the width of its interval, by the series' positions; `nan` if there is none.
pub(crate) fn numbers(chart: &Chart, places: &[f64], labels: &[String]) -> String {
    let mut text = String::from("x");
    for position in 0..chart.series.len() {
        text += &format!(",mean{position},half{position}");
    }
    text.push('\n');
    for (place, label) in places.iter().zip(labels) {
        match &chart.x.scale {
            Scale::Categories(_) => text += &place.to_string(),
            _ => text += label,
        }
        for series in &chart.series {
            let point = series.points.iter().find(|point| point.x == *place);
            let mean = point.map_or("nan".to_owned(), |point| point.y.to_string());
            let half = point.and_then(|point| point.half_width);
            let half = half.map_or("nan".to_owned(), |half| half.to_string());
            text += &format!(",{mean},{half}");
        }
        text.push('\n');
    }
    text
}

impl Answer<'_> {
    /// The name of a file with the chart of a metric at one value of the second axis, without its
    /// extension.
    pub fn stem(&self, metric: usize, y: usize) -> String {
        let name = METRICS[metric].name;
        match self.scenario.y() {
            None => name.to_owned(),
            Some(axis) => {
                let value = axis.values[y].replace(':', "_");
                format!("{name}-{}-{value}", axis.key.name)
            }
        }
    }

    /// The chart of a metric as a file of its own: for the screen, or with a width in inches for
    /// paper, with labels of 8 points.
    pub fn svg(&self, metric: usize, y: usize, inches: Option<f64>) -> String {
        document(&self.chart(metric, y), inches)
    }

    /// The numbers of a metric's chart: a line for each value of x, and for each policy its mean
    /// and half the width of its interval, by the policies' positions; `nan` if there is none.
    pub fn figure_csv(&self, metric: usize, y: usize) -> String {
        let labels = values(self.scenario.x()).values;
        numbers(&self.chart(metric, y), &self.places(), &labels)
    }

    /// The chart of a metric as a document for LaTeX with pgfplots, which reads its numbers from
    /// `csv`, the name of a file with [`Answer::figure_csv`].
    pub fn latex(&self, metric: usize, y: usize, csv: &str) -> String {
        let chart = Chart {
            names: Names::Legend,
            ..self.chart(metric, y)
        };
        let label = METRICS[metric].label;
        let y_label = match printed_unit(METRICS[metric].unit) {
            "" => label.to_owned(),
            unit => format!("{label} ({unit})"),
        };
        let mut axis = vec![
            "width=\\columnwidth".to_owned(),
            "height=0.62\\columnwidth".to_owned(),
            format!("xlabel={{{}}}", escaped(&chart.x.label)),
            format!("ylabel={{{}}}", escaped(&y_label)),
            "ymajorgrids".to_owned(),
            "tick label style={font=\\scriptsize}".to_owned(),
            "label style={font=\\footnotesize}".to_owned(),
            "legend style={font=\\scriptsize, draw=none, at={(0.5,1.02)}, anchor=south, \
             legend columns=2}"
                .to_owned(),
        ];
        if let Scale::Categories(names) = &chart.x.scale {
            let names: Vec<String> = names
                .iter()
                .map(|name| format!("{{{}}}", escaped(name)))
                .collect();
            axis.push("xtick=data".to_owned());
            axis.push(format!("xticklabels={{{}}}", names.join(",")));
        }
        let mut text = format!(
            "% {}\n% Backfill {}, digest {}. Needs pgfplots.\n\\documentclass{{standalone}}\n\
             \\usepackage{{pgfplots}}\n\\pgfplotsset{{compat=1.16}}\n\
             \\setlength{{\\columnwidth}}{{3.5in}}\n\\begin{{document}}\n",
            escaped(&chart.title),
            self.results.core(),
            self.results
                .digest()
                .unwrap_or_else(|| "missing: runs are left".to_owned()),
        );
        let colours = &Theme::LIGHT.series;
        for (position, [red, green, blue]) in colours.iter().enumerate() {
            text += &format!("\\definecolor{{series{position}}}{{RGB}}{{{red},{green},{blue}}}\n");
        }
        text += &format!(
            "\\begin{{tikzpicture}}\n\\begin{{axis}}[\n  {}\n]\n",
            axis.join(",\n  ")
        );
        const MARKS: [&str; SERIES_STYLES] = [
            "*",
            "square*",
            "triangle*",
            "diamond*",
            "pentagon*",
            "o",
            "square",
            "diamond",
        ];
        const LINES: [&str; SERIES_STYLES] = [
            "solid",
            "dashed",
            "densely dotted",
            "dash dot",
            "loosely dashed",
            "densely dashed",
            "dash dot dot",
            "loosely dotted",
        ];
        for (position, series) in chart.series.iter().enumerate() {
            let style = series.style % SERIES_STYLES;
            let line = if matches!(chart.x.scale, Scale::Categories(_)) {
                "only marks"
            } else {
                LINES[style]
            };
            text += &format!(
                "\\addplot[color=series{style}, {line}, mark={}, mark options={{solid}}, \
                 error bars/.cd, y dir=both, y explicit]\n  \
                 table[x=x, y=mean{position}, y error=half{position}, col sep=comma] {{{csv}}};\n\
                 \\addlegendentry{{{}}}\n",
                MARKS[style],
                escaped(&series.label)
            );
        }
        text + "\\end{axis}\n\\end{tikzpicture}\n\\end{document}\n"
    }

    /// A paragraph for the section on the method: every parameter that has an effect, the seed,
    /// version and digest, with references by the numbers of [`sources`].
    pub fn methods(&self) -> String {
        let scenario = self.scenario;
        let sources = sources(scenario);
        let cited = |source: &str| match sources.iter().position(|known| *known == source) {
            Some(place) => format!(" [{}]", place + 1),
            None => String::new(),
        };
        let policies: Vec<String> = scenario
            .policies()
            .iter()
            .map(|policy| {
                let (queue, placement) = (policy.queue.choice(), policy.placement.choice());
                let mut cite = cited(queue.source);
                if placement.source != queue.source {
                    cite += &cited(placement.source);
                }
                for preset in presets(policy) {
                    cite += &ordered(preset, &cited);
                }
                format!("{}{cite}", policy.full_label())
            })
            .collect();
        let mut text = format!(
            "Simulated with Backfill {}. Policies: {}.",
            self.results.core(),
            listed(policies.iter().map(String::as_str))
        );
        let axes: Vec<_> = [scenario.x(), scenario.y()].into_iter().flatten().collect();
        for axis in &axes {
            let unit = spaced(axis.key.unit);
            text += &format!(
                " {} takes the values {}{unit}.",
                axis.key.label,
                listed(axis.values.iter().map(String::as_str))
            );
        }
        let fixed: Vec<String> = KEYS
            .iter()
            .filter(|key| {
                let covered = matches!(
                    key.kind,
                    ValueKind::Policies
                        | ValueKind::Reference
                        | ValueKind::Sweep
                        | ValueKind::Metric
                );
                let swept = axes.iter().any(|axis| axis.key.name == key.name);
                !covered
                    && !swept
                    && scenario.relevant(key.name)
                    && !scenario.get(key.name).is_empty()
            })
            .map(|key| {
                let value = scenario.get(key.name);
                let (value, choice) = match key.kind {
                    ValueKind::Choice { choices } => choices
                        .iter()
                        .find(|choice| choice.value == value)
                        .map_or((value, ""), |choice| (choice.label, choice.source)),
                    _ => (value, ""),
                };
                let mut cite = cited(key.source);
                if choice != key.source {
                    cite += &cited(choice);
                }
                if let Some(preset) = preset_of(key, value) {
                    cite += &ordered(preset, &cited);
                }
                format!("{} {value}{}{cite}", key.label, spaced(key.unit))
            })
            .collect();
        text += &format!(" Parameters: {}.", fixed.join("; "));
        for note in notes(scenario) {
            text += &format!(" {note}");
        }
        if scenario.policies().len() > 1 {
            let reference = scenario.policies()[scenario.reference()].full_label();
            text += &format!(" Differences to {reference} are taken pair by pair.");
        }
        text += &match self.results.digest() {
            Some(digest) => format!(" Digest of all runs: {digest}."),
            None => " Some runs are missing.".to_owned(),
        };
        for (place, source) in sources.iter().enumerate() {
            text += &format!("\n[{}] {source}.", place + 1);
        }
        text.push('\n');
        text
    }
}

/// The formula behind the name of an order, and its reference.
fn ordered(preset: &Preset, cited: &impl Fn(&str) -> String) -> String {
    let source = preset.published().map_or(String::new(), cited);
    format!(", {} being {}{source}", preset.name, preset.formula)
}

/// The references of a scenario, in the order in which the method cites them.
pub fn sources(scenario: &Scenario) -> Vec<&'static str> {
    let policies = scenario.policies().iter().flat_map(|policy: &PolicySpec| {
        let named = [
            policy.queue.choice().source,
            policy.placement.choice().source,
        ];
        named
            .into_iter()
            .chain(presets(policy).filter_map(Preset::published))
    });
    let keys = KEYS
        .iter()
        .filter(|key| scenario.relevant(key.name))
        .flat_map(|key| {
            let value = scenario.get(key.name);
            let chosen = match key.kind {
                ValueKind::Choice { choices } => {
                    choices.iter().find(|choice| choice.value == value)
                }
                _ => None,
            };
            let order = preset_of(key, value).and_then(Preset::published);
            [
                key.source,
                chosen.map_or("", |choice| choice.source),
                order.unwrap_or_default(),
            ]
        });
    let mut sources = Vec::new();
    for source in policies.chain(keys) {
        if !source.is_empty() && !sources.contains(&source) {
            sources.push(source);
        }
    }
    sources
}

/// The references of a scenario, and the simulator of that release, as BibTeX entries; each has its
/// whole reference in one field.
pub fn bibliography(scenario: &Scenario, core: &str) -> String {
    let entry = |(place, source): (usize, &&str)| {
        let number = place + 1;
        format!(
            "@misc{{source{number},\n  note = {{{}}}\n}}\n",
            escaped(source)
        )
    };
    let simulator =
        format!("@misc{{backfill,\n  title = {{Backfill}},\n  note = {{Version {core}}}\n}}\n");
    let sources = sources(scenario);
    let entries: Vec<String> = sources.iter().enumerate().map(entry).collect();
    simulator + &entries.concat()
}

/// A unit after its number.
fn spaced(unit: &str) -> String {
    if unit.is_empty() {
        String::new()
    } else {
        format!(" {unit}")
    }
}

/// A text escaped for a LaTeX document.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(character);
            }
            'Γ' => escaped.push_str("$\\Gamma$"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::tests::simulated;

    #[test]
    fn a_figure_for_paper_has_its_width_and_labels_of_eight_points() {
        let (scenario, results) =
            &simulated(&[("jobs", "20"), ("reps", "2"), ("x", "load:0.5,0.9")]);
        let answer = Answer { scenario, results };
        let svg = answer.svg(0, 0, Some(3.5));
        assert!(
            svg.contains("width=\"3.5in\" height=\"2.1666"),
            "{}",
            &svg[..300]
        );
        // 378 pixels are 3.5 in: a label of 12 pixels has 12 / 378 · 3.5 · 72 = 8 points.
        assert!(svg.contains("viewBox=\"0 0 378 234\""), "{}", &svg[..300]);
        assert!(svg.contains("<text"));
        assert_eq!(svg, answer.svg(0, 0, Some(3.5)));
    }

    #[test]
    fn latex_reads_the_numbers_of_the_chart() {
        let (scenario, results) = &simulated(&[
            ("jobs", "20"),
            ("reps", "2"),
            ("x", "load:0.5,0.9"),
            ("policy", "fcfs,easy"),
        ]);
        let answer = Answer { scenario, results };
        let csv = answer.figure_csv(0, 0);
        let chart = answer.chart(0, 0);
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines[0], "x,mean0,half0,mean1,half1");
        assert_eq!(lines.len(), 3);
        let point = chart.series[1].points[1];
        let fields: Vec<f64> = lines[2]
            .split(',')
            .map(|field| field.parse().unwrap())
            .collect();
        assert_eq!((fields[0], fields[3]), (0.9, point.y));
        assert_eq!(Some(fields[4]), point.half_width);
        let latex = answer.latex(0, 0, "accept_rate.csv");
        assert!(latex.contains("ylabel={Accept rate (\\%)}"), "{latex}");
        assert!(latex.contains("y=mean1, y error=half1, col sep=comma] {accept_rate.csv};"));
        assert_eq!(latex.matches("\\addlegendentry").count(), 2);
    }

    #[test]
    fn the_method_names_parameters_seed_digest_and_sources() {
        let (scenario, results) =
            &simulated(&[("jobs", "20"), ("reps", "2"), ("x", "load:0.5,0.9")]);
        let text = Answer { scenario, results }.methods();
        let digest = results.digest().unwrap();
        assert!(
            text.contains(&format!("Digest of all runs: {digest}.")),
            "{text}"
        );
        assert!(text.contains(" takes the values 0.5 and 0.9"), "{text}");
        assert!(text.contains("Simulated with Backfill "));
        let seed = format!("Seed {};", scenario.seed());
        assert!(text.contains(&seed), "{text}");
        let sources = sources(scenario);
        assert!(!sources.is_empty());
        for (place, source) in sources.iter().enumerate() {
            assert!(
                text.contains(&format!("\n[{}] {source}.", place + 1)),
                "{text}"
            );
        }
        let entries = bibliography(scenario, "1.2.3");
        assert_eq!(entries.matches("@misc{").count(), sources.len() + 1);
    }

    #[test]
    fn the_method_cites_who_published_an_order_and_gives_its_formula() {
        let own = "list(order=wfp3,behind=reserve),list(order=f2,backfill_order=spt,behind=skip)";
        let (scenario, results) = &simulated(&[
            ("jobs", "20"),
            ("reps", "2"),
            ("x", "load:0.9"),
            ("policy", own),
        ]);
        let text = Answer { scenario, results }.methods();
        let entries = bibliography(scenario, "1.2.3");
        for (formula, authors) in [
            ("wfp3 being -(wait/max(estimate,1))^3*size [", "W. Tang"),
            (
                "f2 being sqrt(estimate)*size+25600*log10(max(submit,1)) [",
                "D. Carastan-Santos",
            ),
        ] {
            let number = text.split(formula).nth(1).expect("the formula is there");
            let number = number.split(']').next().expect("a number");
            assert!(text.contains(&format!("\n[{number}] {authors}")), "{text}");
            assert!(entries.contains(authors), "{entries}");
        }
        assert!(text.contains(", spt being estimate"), "{text}");
        assert!(!text.contains("textbook"), "{text}");
        // A user's formula is printed in full.
        let long = "-(wait/max(estimate,1))^3*size*(1+load)*waiting";
        let policy = format!("list(order={long})");
        let pairs = [
            ("jobs", "20"),
            ("reps", "2"),
            ("x", "load:0.9"),
            ("policy", &policy),
        ];
        let (scenario, results) = &simulated(&pairs);
        let answer = Answer { scenario, results };
        assert!(answer.methods().contains(long));
        let label = answer.policies().next().expect("a policy");
        assert_eq!(label, "List + AdaBa (order = -(wait/max(estimate,1))^…)");
    }
}
