//! The calibration of forecasts: whether jobs start when forecasts say, for three logs and for
//! generated jobs.
//!
//! The question is the project's own, and so are the aims judged here. Each forecast asks about the
//! next job of the log itself at an instant; its true start is that of the whole log, simulated under
//! the same policy. A forecast sees nothing that is later than its instant.

use super::calibration::Calibration;
use super::figure::{Figure, FigureKind, Paper};
use super::log::Log;
use super::pair::Pair;
use super::{paper_1, paper_4};

/// The report.
pub(super) const REPORT: Paper = Paper {
    name: "Report 3",
    title: "Do forecasts of start times come true?",
    published: "Asked and answered here: no paper has these figures",
    called: &[],
    figures: FIGURES,
};

static KTH: Log = Log {
    first: "all",
    ..paper_1::KTH
};

static NASA: Log = Log {
    first: "all",
    ..paper_1::NASA
};

/// Time limits of the users are known; who overruns one runs on.
const LIMITS: Pair = ("estimate", "extend");

const fn figure(
    [id, place]: [&'static str; 2],
    caption: &'static str,
    calibration: Calibration,
) -> Figure {
    Figure {
        id,
        place,
        title: "True starts among the forecasts of EASY",
        caption,
        kind: FigureKind::Calibration(calibration),
    }
}

const FIGURES: &[Figure] = &[
    figure(
        ["r3-kth", "KTH-SP2"],
        "A log with time limits on its own machine.",
        Calibration {
            log: Some(&KTH),
            pairs: &[LIMITS],
            instants: 2000,
            remark: "Most jobs start at once, in all futures and in truth, and the closed interval has all of these: it has too many \
             starts because of ties. Of the jobs that wait, too many start in the last tenth: forecasts are \
             somewhat too early. Why was not found.",
        },
    ),
    figure(
        ["r3-nasa", "NASA-iPSC"],
        "A log without time limits on its own machine, whose scheduler knows run times that forecasts do not.",
        Calibration {
            log: Some(&NASA),
            pairs: &[],
            instants: 1000,
            remark: "On this machine no job waits, and every forecast says so. The closed interval has every start, and with ties \
             spread the share is 80 % of necessity: this log says nothing about forecasts, and the next figure lets \
             its jobs wait.",
        },
    ),
    figure(
        ["r3-nasa-load", "NASA-iPSC, load 0.7"],
        "The same log with its submissions moved together to load 0.7, so that jobs wait.",
        Calibration {
            log: Some(&NASA),
            pairs: &[("load", "0.7")],
            instants: 1000,
            remark: "Forecasts are too early: of the jobs that wait, by far the most start in the last tenth. The scheduler knows all \
             run times, the forecast none. Conjecture: a scheduler that knows them lets short jobs pass, so that \
             those that still wait are longer than run times that are drawn from all jobs that have ended.",
        },
    ),
    figure(
        ["r3-ricc", "RICC"],
        "A log with time limits on the 8,192 cores of RICC.",
        Calibration {
            log: Some(&paper_4::RICC),
            pairs: &[("nodes", "8192"), LIMITS],
            instants: 600,
            remark: "Forecasts are too early, and intervals too narrow: of the jobs that wait, by far the most start in the last \
             tenth. Four jobs in five come in flurries, many of one user within minutes. Conjecture, to which a trial \
             at 40 instants agrees: run times in a flurry resemble one another, and forecasts draw each by itself, so \
             that their sum varies less in the futures than in truth. More than half of the mean error of P50 is that of \
             one job of all 8,192 cores, which starts 113 days before its P50.",
        },
    ),
    figure(
        ["r3-ricc-in-use", "RICC, larger"],
        "The same log on the 28,416 cores that were in use at once by its own times.",
        Calibration {
            log: Some(&paper_4::RICC),
            pairs: &[LIMITS],
            instants: 600,
            remark: "On so large a machine nearly all jobs start at once, in all futures and in truth, and the closed interval has too \
             many starts because of ties. The few that wait are too few to tell more.",
        },
    ),
    figure(
        ["r3-lublin", "Lublin's model"],
        "Jobs of Lublin and Feitelson's model on 128 nodes at load 0.8, whose scheduler knows run times that forecasts \
         do not.",
        Calibration {
            log: None,
            pairs: &[("workload", "lublin"), ("jobs", "20000"), ("load", "0.8")],
            instants: 1000,
            remark: "Forecasts are too early: of the jobs that wait, by far the most start in the last tenth. The scheduler knows all \
             run times, the forecast none. Where both know time limits alone, as in the next figure, this is not so. \
             Conjecture: a scheduler that knows run times lets short jobs pass, so that those that still wait are \
             longer than run times that are drawn from all jobs that have ended.",
        },
    ),
    figure(
        ["r3-lublin-limits", "Lublin's model, limits"],
        "The same jobs with time limits of Tsafrir's model.",
        Calibration {
            log: None,
            pairs: &[
                ("workload", "lublin"),
                ("jobs", "20000"),
                ("load", "0.8"),
                ("estimate", "tsafrir"),
            ],
            instants: 1000,
            remark: "The scheduler knows time limits alone, and the forecast knows them too. They are far longer than the run times, so \
             that the optimist, who takes the ones for the others, is far off.",
        },
    ),
];
