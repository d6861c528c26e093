//! A kept run in detail: the table of its jobs, charts over time as pixels, the allocations of a
//! job, and why it was rejected or waited.
//!
//! Instants are seconds since the first submit. Widths and heights are in device pixels.

use crate::passes::KeptPasses;
use crate::replay::{Picture, Replay, shades};
use crate::scenario::parse;
use crate::sentence::{Piece, pieces};
use crate::trace::Trace;
use crate::{plain, refusal};
use backfill_experiment::inspect::decision::{Candidate, Set, decision, next, why_not_shown};
use backfill_experiment::inspect::explain::{self, longest};
use backfill_experiment::inspect::inspection::{Inspection, StepCurve};
use backfill_experiment::inspect::job_table::{COLUMNS, Filter, JobColumn, column};
use backfill_experiment::inspect::lanes::{Hold, Holds};
use backfill_experiment::inspect::usage::LinkUsage;
use backfill_experiment::language::expression::parse as parse_expression;
use backfill_experiment::study::sweep;
use backfill_plot::colour::{AREAS, Rgb, Theme, mixed};
use backfill_plot::diagram::places;
use backfill_plot::time::{Bar, LaneLayout, StripColours, TimeAxis, dashed, strip};
use backfill_sim::id::{Id, JobId, LinkId};
use backfill_sim::job::Jobs;
use backfill_sim::record::{Allocation, OUTCOMES};
use backfill_sim::setup::Setup;
use backfill_sim::system::Shown;
use backfill_sim::system::describe::{Diagram, Level, Measure, Wire};
use backfill_sim::system::tree::Shape;
use backfill_sim::unit::{Kbps, Time, round};
use backfill_sim::workload::{Load, Source};
use js_sys::{Float32Array, Float64Array, Uint8ClampedArray};
use serde::Serialize;
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A kept run and its views.
#[wasm_bindgen]
pub struct Inspector {
    pub(crate) run: Inspection,
    pub(crate) replay: Replay,
    /// The run to compare with, if any.
    pub(crate) beside: Option<Box<Inspector>>,
    /// The lanes that each allocation holds.
    holds: Holds,
    /// The shares of jobs on shared links, if links are shared.
    usage: Option<Rc<LinkUsage>>,
    /// The largest value of each column, also in the run beside it.
    pub(crate) most: [Option<f64>; COLUMNS.len()],
    /// The jobs as the table lists them.
    listed: Vec<JobId>,
    lanes: LaneLayout,
    stretch: TimeAxis,
    /// The colour of each job among those of areas, once the plan is coloured so.
    areas: OnceCell<Vec<u8>>,
    /// The scheduling passes, once one is told.
    pub(crate) passes: Option<KeptPasses>,
    /// Those of other runs of its scenario, by cell.
    others: Vec<(usize, KeptPasses)>,
}

/// The width in pixels of the line that marks a migration at the start of its allocation; at most
/// half the allocation.
const MARK: f64 = 2.0;

/// The least width and height in pixels of what a job holds for a colour of its own, where slots are
/// lower than a pixel.
const COLOURED: f64 = 2.0;

/// More blocks of the plan than this have no gap between them.
const SEPARATED: usize = 64;

/// A decision lists the jobs in its sets, and others up to this number.
const CANDIDATES: usize = 24;

/// The columns by which the plan can be coloured; the first gives each job its own colour.
const COLOURINGS: [&str; 5] = ["job", "wait", "size", "bandwidth", "slowdown"];

/// The columns on how jobs slow one another down.
const SLOWED: [&str; 2] = ["stretch", "late"];

/// The contents of a kept run.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct About {
    /// The columns of the table of jobs.
    columns: [JobColumn; COLUMNS.len()],
    /// The position of the column with the values of an order.
    order: usize,
    /// The positions of hidden columns: those on how jobs slow one another down, if none did.
    left_out: Vec<usize>,
    /// The words of the column of outcomes.
    outcomes: [&'static str; OUTCOMES.len()],
    /// The charts over time.
    lines: Vec<LineName>,
    /// The migrations of this run and of the run beside it.
    moves: Vec<Moves>,
    /// The columns by which the plan can be coloured.
    colourings: Vec<Colouring>,
    /// The names of the blocks of the plan, from the top; empty if there is only one.
    blocks: Vec<String>,
    /// Whether decisions can be explained.
    decisions: bool,
    /// Whether jobs share links, in either run, so that the use of links may exceed reservations.
    shared: bool,
    /// The diagram of the system; null if it is too large, or has no network.
    diagram: Option<Drawing>,
    /// The first submit, in seconds of its log's time; null if submit times are not those of a log.
    logged: Option<f64>,
}

/// A diagram of a network.
#[derive(Serialize, ts_rs::TS)]
struct Drawing {
    /// The levels of its nodes, from the top.
    levels: Vec<DrawnLevel>,
    /// What connects them.
    wires: Vec<Wire>,
    /// The name of each part.
    names: Vec<String>,
}

/// The nodes of a level.
#[derive(Serialize, ts_rs::TS)]
struct DrawnLevel {
    /// Their common name.
    name: &'static str,
    /// The position of each, from 0 at the left edge to 1 at the right one.
    places: Vec<f32>,
}

/// The migrations of a run.
#[derive(Serialize, ts_rs::TS)]
struct Moves {
    /// The number of jobs that migrated.
    jobs: usize,
    /// The number of migrations.
    migrations: usize,
    /// The total seconds for which jobs held slots for migrations without working.
    paused: f64,
}

/// A chart over time.
#[derive(Serialize, ts_rs::TS)]
struct LineName {
    /// Its label.
    label: String,
    /// Its unit; empty for a share.
    unit: &'static str,
    /// The upper end of its scale.
    most: f64,
}

/// A column by which the plan can be coloured.
#[derive(Serialize, ts_rs::TS)]
struct Colouring {
    /// The position of the column.
    column: usize,
    /// The end of its scale; null if each job has its own colour.
    most: Option<f64>,
}

/// The layout of a plan, in pixels.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct Laid {
    /// Its height.
    height: usize,
    /// The top and the height of each block.
    blocks: Vec<(f64, f64)>,
    /// Whether a slot is lower than a pixel, so that small jobs cannot have their own colours: the
    /// pixels then show how many of their slots are held.
    dense: bool,
}

/// A job at an instant.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct JobAt {
    /// Its value in each column.
    row: Vec<Option<f64>>,
    /// Its allocation at that instant, or the nearest one.
    allocation: Option<AllocationAt>,
    /// The number of its allocations.
    allocations: usize,
}

/// One stay of a job on resources. Times are seconds since the first submit.
#[derive(Serialize, ts_rs::TS)]
#[ts(rename = "Allocation")]
struct AllocationAt {
    /// When it begins.
    start: f64,
    /// When it ends.
    end: f64,
    /// The instant from which the job works; later than the start if it pays for a migration.
    works_from: f64,
    /// Whether it started with a migration.
    migrated: bool,
    /// The name of each server or node, and the slots held there.
    parts: Vec<(String, u32)>,
    /// The links on which it reserves bandwidth.
    links: Vec<ReservedLink>,
    /// The job's share of the bandwidth that it requests; null if all of it is guaranteed.
    shared: Option<SharedAt>,
}

/// A link on which bandwidth is reserved.
#[derive(Serialize, ts_rs::TS)]
struct ReservedLink {
    /// The index of the part.
    part: usize,
    /// Its name.
    name: String,
    /// The bandwidth, in Mbit/s.
    reserved: f64,
}

/// A job's share of the bandwidth that it requests.
#[derive(Serialize, ts_rs::TS)]
struct SharedAt {
    /// The share at the instant.
    share: f64,
    /// The least share over the allocation.
    least: f64,
    /// The greatest share over the allocation.
    most: f64,
    /// Its speed at the instant relative to its undisturbed speed.
    speed: f64,
    /// The full link that limits its share at the instant; null if it gets its full request.
    limit: Option<LimitAt>,
}

/// A link that slows a job down.
#[derive(Serialize, ts_rs::TS)]
struct LimitAt {
    /// The index of the part.
    part: usize,
    /// Its name.
    name: String,
    /// The numbers of the other jobs on it.
    with: Vec<u64>,
}

/// What slows a job down over an allocation.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct SlowedOver {
    /// A sentence for each of the longest periods in which it is slowed, in order of time: pieces
    /// of text, with instants and links in between.
    #[ts(type = "(string | number | NamedLink)[][]")]
    longest: Vec<Vec<Piece>>,
    /// The number of further periods.
    more: usize,
}

/// The values of an order for some of the jobs that wait at an instant.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct Examples {
    /// The instant, in seconds since the first submit.
    at: f64,
    /// The number of jobs that wait then.
    waiting: usize,
    /// Some of them, in the order in which they are tried.
    jobs: Vec<OrderedJob>,
}

/// A waiting job in an order.
#[derive(Serialize, ts_rs::TS)]
struct OrderedJob {
    /// Its number in the input.
    number: u64,
    /// The value of the order for it; null if not finite.
    value: Option<f64>,
}

/// The decision of the last scheduling pass up to an instant.
#[derive(Serialize, ts_rs::TS)]
pub(crate) struct Decided {
    /// The instant of the pass, in seconds since the first submit.
    at: f64,
    /// The slots of the system.
    slots: u64,
    /// The free slots before the pass.
    free: u64,
    /// The wait, in seconds, that is worth as much as the slots of a job.
    unit: f64,
    /// The number of jobs that waited before it.
    waiting: usize,
    /// Whether it started what first fit would have started.
    is_first_fit: bool,
    /// The jobs that it started.
    started: Set,
    /// The jobs that first fit in order of arrival would have started.
    first_fit: Set,
    /// Jobs that waited, by arrival: all that are in one of the sets, and some others.
    jobs: Vec<Waited>,
}

/// A job that waited before a scheduling pass.
#[derive(Serialize, ts_rs::TS)]
#[ts(rename = "WaitingJob")]
struct Waited {
    /// Its index.
    job: u32,
    /// Its number in the input.
    number: u64,
    /// The slots that it requests.
    size: u32,
    /// The seconds that it had waited.
    waited: f64,
    /// The value of starting it.
    worth: f64,
    /// The slots that it was started on; null if it was not.
    got: Option<u32>,
    /// Whether first fit would have started it.
    by_first_fit: bool,
}

impl Waited {
    fn of(job: &Candidate) -> Waited {
        Waited {
            job: job.job.0,
            number: job.number,
            size: job.size,
            waited: job.waited.seconds(),
            worth: job.worth,
            got: job.got,
            by_first_fit: job.by_first_fit,
        }
    }
}

#[wasm_bindgen]
impl Replay {
    /// The contents of the run.
    pub fn inspector(&self) -> Inspector {
        let usage = self.playback.usage();
        let run = self.playback.run().clone();
        let run = Inspection::new(run, &self.setup, usage.map(Rc::as_ref));
        let run = run.expect("a replay has kept its allocations");
        let lanes = self.playback.system().lanes();
        let listed = run.arranged(&COLUMNS[0], false, &Filter::default());
        Inspector {
            holds: Holds::of(run.allocations().all(), &lanes),
            usage: usage.cloned(),
            most: run.largest(),
            listed,
            replay: self.clone(),
            beside: None,
            lanes: LaneLayout::within(1, &[], 0),
            stretch: TimeAxis {
                width: 1,
                from: 0.0,
                until: 1.0,
            },
            areas: OnceCell::new(),
            run,
            passes: None,
            others: Vec::new(),
        }
    }
}

impl Inspector {
    fn seconds(&self, time: Time) -> f64 {
        (time - self.run.first()).seconds()
    }

    pub(crate) fn instant(&self, seconds: f64) -> Time {
        Time((self.run.first().0 + round(seconds * 1e6)).min(self.run.end().0))
    }

    fn moves(&self) -> Moves {
        let moves = self.run.moves();
        Moves {
            jobs: moves.jobs,
            migrations: moves.migrations,
            paused: moves.paused,
        }
    }

    /// The bars of a hold from the left: the mark of a migration, the pause that it costs, the
    /// work.
    fn bars(&self, hold: &Hold, allocation: &Allocation, colour: Rgb, mark: Rgb) -> [Bar; 3] {
        let bar = |start, end, colour, hatched| Bar {
            lane: hold.lane as usize,
            lanes: hold.lanes as usize,
            start,
            end,
            colour,
            hatched,
        };
        let (start, end) = (self.seconds(allocation.start), self.seconds(allocation.end));
        let works_from = allocation.works_from.min(allocation.end);
        let mut marked = start;
        if allocation.migrated {
            let a_pixel = (self.stretch.until - self.stretch.from) / self.stretch.width as f64;
            marked += (MARK * a_pixel).min((end - start) / 2.0);
        }
        let mut works = marked;
        if works_from > allocation.start {
            works = works.max(self.seconds(works_from));
        }
        [
            bar(start, marked, mark, false),
            bar(marked, works, colour, true),
            bar(works, end, colour, false),
        ]
    }

    fn system(&self) -> &dyn Measure {
        self.replay.playback.system()
    }

    pub(crate) fn picture(&self, width: usize) -> Picture {
        Picture::of(self.replay.playback.shown().clone(), width)
    }

    fn job(&self, index: u32) -> Result<JobId, JsValue> {
        let known = (index as usize) < self.run.replay().jobs.len();
        if known {
            Ok(JobId(index))
        } else {
            Err(refusal(format!("the run has no job {index}")))
        }
    }

    /// A chart, the same chart of the run compared with, and the top of the scale of both.
    fn line(&self, place: usize) -> Option<(&StepCurve, Option<&StepCurve>, f64)> {
        let line = self.run.lines().get(place)?;
        let beside = self.beside.as_ref();
        let other = beside.and_then(|beside| beside.line_like(line));
        let most = other.map_or(line.most, |other| other.most.max(line.most));
        Some((line, other, most))
    }

    /// The chart that corresponds to one of another run. If no links are shared, the use of links
    /// is what is reserved.
    pub(crate) fn line_like(&self, line: &StepCurve) -> Option<&StepCurve> {
        let mut lines = self.run.lines().iter().rev();
        lines.find(|own| {
            let alike = own.of.is_none() || line.of.is_none() || own.of == line.of;
            own.label == line.label && alike
        })
    }

    /// The name of a chart.
    fn called(&self, line: &StepCurve) -> String {
        let beside = self.beside.as_ref();
        let other = beside.and_then(|beside| beside.line_like(line));
        match line.of.or(other.and_then(|other| other.of)) {
            Some(of) => format!("{} {}", line.label, of.words()),
            None => line.label.to_owned(),
        }
    }

    /// The share of each part at an instant, as in [`Inspector::shares_at`].
    pub(crate) fn shares(&self, at: Option<f64>, used: bool) -> Vec<f32> {
        let ends = (self.run.first(), self.run.end());
        match &self.usage {
            Some(usage) if used => {
                let mut shares = usage.in_use(at.map(|at| self.instant(at)), ends);
                let nodes = self.system().nodes_shown();
                shares[..nodes].copy_from_slice(&self.replay.shares(at)[..nodes]);
                shares
            }
            _ => self.replay.shares(at),
        }
    }

    /// The share of an allocation's job of the bandwidth that it requests.
    fn shared_at(&self, allocation: &Allocation, at: Time) -> Option<SharedAt> {
        let usage = self.usage.as_ref()?;
        let of_stay = usage.steps(allocation).into_iter().map(|step| step.1);
        let share = usage.share(allocation, at);
        let limit = usage.limit(allocation.job, at).map(|limit| LimitAt {
            part: limit.link.index(),
            name: self.system().link(limit.link),
            with: limit
                .with
                .iter()
                .map(|&job| self.run.replay().jobs[job].number)
                .collect(),
        });
        Some(SharedAt {
            share,
            least: of_stay.clone().fold(1.0, f64::min),
            most: of_stay.fold(0.0, f64::max),
            speed: usage.speed(share),
            limit,
        })
    }

    fn drawing(&self, diagram: Diagram) -> Drawing {
        let system = self.system();
        let level = |level: Level| DrawnLevel {
            name: level.name,
            places: places(level),
        };
        Drawing {
            levels: diagram.levels.into_iter().map(level).collect(),
            wires: diagram.wires,
            names: (0..system.parts()).map(|part| system.part(part)).collect(),
        }
    }

    /// The steps of a chart in a period, and its value before.
    fn steps(&self, line: &StepCurve, from: f64, until: f64) -> Vec<(f64, f64)> {
        let steps = line.during(self.instant(from), self.instant(until)).iter();
        steps.map(|step| (self.seconds(step.0), step.1)).collect()
    }
}

#[wasm_bindgen]
impl Inspector {
    /// The contents of the run.
    #[wasm_bindgen(unchecked_return_type = "About")]
    pub fn about(&self) -> JsValue {
        let place = |name| COLUMNS.iter().position(|column| column.name == name);
        let colourings = COLOURINGS.iter().enumerate().filter_map(|(index, &name)| {
            let column = place(name)?;
            let most = self.most[column]?;
            let most = (index > 0).then_some(most);
            Some(Colouring { column, most })
        });
        plain(&About {
            columns: COLUMNS,
            order: place("order").expect("a column"),
            left_out: SLOWED
                .into_iter()
                .filter_map(place)
                .filter(|&column| self.most[column].is_none())
                .collect(),
            outcomes: OUTCOMES,
            lines: self
                .run
                .lines()
                .iter()
                .enumerate()
                .map(|(place, line)| LineName {
                    label: self.called(line),
                    unit: line.unit,
                    most: self.line(place).map_or(line.most, |(_, _, most)| most),
                })
                .collect(),
            moves: [Some(self), self.beside.as_deref()]
                .into_iter()
                .flatten()
                .map(Inspector::moves)
                .collect(),
            colourings: colourings.collect(),
            blocks: match self.system().lane_blocks() {
                one if one.len() == 1 => Vec::new(),
                blocks => blocks,
            },
            decisions: why_not_shown(&self.replay.setup).is_none(),
            shared: [Some(self), self.beside.as_deref()]
                .into_iter()
                .flatten()
                .any(|run| run.usage.is_some()),
            diagram: self.system().diagram().map(|diagram| self.drawing(diagram)),
            logged: {
                let workload = &self.replay.setup.workload;
                let as_logged = workload.source == Source::Swf && workload.load == Load::AsLogged;
                as_logged.then(|| (self.run.first() - Time(0)).seconds())
            },
        })
    }

    /// The share of each part in use at an instant, else averaged over the run: reserved, or with
    /// `used` what jobs use of shared links.
    pub fn shares_at(&self, at: Option<f64>, used: bool) -> Float32Array {
        Float32Array::from(self.shares(at, used).as_slice())
    }

    /// The cell of a part in the picture of that width; undefined if it has none.
    #[wasm_bindgen(unchecked_return_type = "Spot | undefined")]
    pub fn spot_of(&self, part: usize, width: usize) -> JsValue {
        let picture = self.picture(width);
        let cell = picture.map.find(part);
        cell.map_or(JsValue::UNDEFINED, |cell| {
            plain(&picture.spot_of(part, cell))
        })
    }

    /// The value of every chart at an instant.
    pub fn values(&self, at: f64) -> Float64Array {
        let time = self.instant(at);
        let values: Vec<f64> = self.run.lines().iter().map(|line| line.at(time)).collect();
        Float64Array::from(values.as_slice())
    }

    /// How many nodes running jobs hold at an instant, by their size: those of 1, of 2 and 3, of 4
    /// to 7 and so on; empty where a network, tiers or clusters tell nodes apart.
    pub fn held_by_size(&self, at: f64) -> Vec<u32> {
        let about = self.replay.setup.system.kind().about();
        if about.network || !self.system().blocks().is_empty() {
            return Vec::new();
        }
        let mut held = vec![0];
        for allocation in self.run.allocations().active_at(self.instant(at)) {
            let slots = allocation.slots().max(1);
            let size = slots.ilog2() as usize;
            if held.len() <= size {
                held.resize(size + 1, 0);
            }
            held[size] += slots as u32;
        }
        held
    }

    /// The instant of the `by`-th event after this one, or before it.
    pub fn step(&self, at: f64, by: i32) -> f64 {
        self.seconds(self.run.step(self.instant(at), i64::from(by)))
    }

    /// The pixels of a chart between two instants; the run compared with is dashed.
    ///
    /// # Errors
    /// There is no such chart.
    pub fn strip(
        &self,
        line: usize,
        width: usize,
        height: usize,
        from: f64,
        until: f64,
        dark: bool,
    ) -> Result<Uint8ClampedArray, JsValue> {
        let line = self.line(line);
        let (line, beside, most) = line.ok_or_else(|| refusal("the run has no such line"))?;
        let stretch = TimeAxis { width, from, until };
        let theme = theme(dark);
        let steps = self.steps(line, from, until);
        let mut raster = strip(stretch, height, &steps, most, strip_colours(dark));
        if let Some(line) = beside {
            let steps = self.steps(line, from, until);
            dashed(&mut raster, stretch, &steps, most, theme.series[1]);
        }
        Ok(Uint8ClampedArray::from(raster.rgba.as_slice()))
    }

    /// Lays the plan out, servers or nodes by time, in about that height, and that of the run
    /// compared with.
    #[wasm_bindgen(unchecked_return_type = "Laid")]
    pub fn lay_out(&mut self, width: usize, height: usize, from: f64, until: f64) -> JsValue {
        let blocks = self.system().lanes().blocks;
        let gap = match blocks.len() {
            count if count > SEPARATED => 0,
            count => (height / 12 / count.max(1)).clamp(1, 8),
        };
        self.lanes = LaneLayout::within(height, &blocks, gap);
        self.stretch = TimeAxis { width, from, until };
        if let Some(beside) = &mut self.beside {
            (beside.lanes, beside.stretch) = (self.lanes.clone(), self.stretch);
        }
        plain(&Laid {
            height: self.lanes.height(),
            blocks: self.lanes.extents().collect(),
            dense: self.lanes.is_dense(),
        })
    }

    /// The pixels of the plan as laid out, coloured by a column, with a chosen job highlighted. A
    /// line at its start marks a migration, and hatching the time in which a job pays for one.
    ///
    /// # Errors
    /// There is no such column.
    pub fn plan(
        &self,
        column: usize,
        chosen: Option<u32>,
        dark: bool,
    ) -> Result<Uint8ClampedArray, JsValue> {
        let shown = COLUMNS.get(column);
        let shown = shown.ok_or_else(|| refusal("the run has no such column"))?;
        let scale = (shown.name != COLOURINGS[0]).then(|| self.most[column].unwrap_or_default());
        let (theme, shades) = (theme(dark), shades(dark));
        let allocations = self.run.allocations().all();
        let (from, until) = (self.stretch.from, self.stretch.until);
        let areas = || {
            let areas = || self.holds.apart(allocations, AREAS);
            self.areas.get_or_init(areas)
        };
        let pixels = self.stretch.width as f64 / (until - from);
        let is_small = |hold: &Hold, allocation: &Allocation| {
            let time = (allocation.end - allocation.start).seconds();
            f64::from(hold.lanes) * self.lanes.lane_height < COLOURED || time * pixels < COLOURED
        };
        let colour = |hold: &Hold, allocation: &Allocation| -> Rgb {
            let job = allocation.job;
            let colour = match scale {
                None if self.lanes.is_dense() && is_small(hold, allocation) => theme.series[0],
                None => theme.area(areas()[job.index()].into(), shades.idle),
                // A job with the value 0 is drawn all the same.
                Some(most) => {
                    let value = self.run.value(job, shown).unwrap_or_default();
                    let share = if most > 0.0 { value / most } else { 0.0 };
                    shades.ramp[(share * 255.0).round() as usize]
                }
            };
            match chosen {
                Some(chosen) if chosen == job.0 => shades.over,
                Some(_) => mixed(colour, shades.idle, 0.4),
                None => colour,
            }
        };
        let holds = self
            .holds
            .during(allocations, self.instant(from), self.instant(until));
        let bars = holds.flat_map(|hold| {
            let allocation = &allocations[hold.allocation as usize];
            self.bars(hold, allocation, colour(hold, allocation), theme.text)
        });
        let seen = bars.filter(|bar| bar.start < bar.end && bar.start < until && bar.end > from);
        let raster = self.lanes.draw(self.stretch, seen, shades.idle);
        Ok(Uint8ClampedArray::from(raster.rgba.as_slice()))
    }

    /// The job under a pixel of the plan.
    pub fn job_at(&self, x: usize, y: usize) -> Option<u32> {
        let lane = self.lanes.locate(y)?;
        let time = self.stretch.time(x as f64 + 0.5);
        let allocations = self.run.allocations().all();
        let now = self.instant(time);
        let held = self.holds.during(allocations, now, now).find(|hold| {
            let allocation = &allocations[hold.allocation as usize];
            (hold.lane..hold.lane + hold.lanes).contains(&(lane as u32))
                && (allocation.start..allocation.end).contains(&now)
        });
        Some(allocations[held?.allocation as usize].job.0)
    }

    /// Lists the jobs that meet a filter, sorted by a column; returns how many there are.
    ///
    /// # Errors
    /// A sentence says what cannot be read in the filter.
    pub fn list(&mut self, sort: &str, descending: bool, filter: &str) -> Result<usize, JsValue> {
        let sort = column(sort).ok_or_else(|| refusal(format!("there is no column {sort}")))?;
        let filter = Filter::parse(filter).map_err(refusal)?;
        self.listed = self.run.arranged(sort, descending, &filter);
        Ok(self.listed.len())
    }

    /// Fills the column of the order with the values of an expression at an instant.
    ///
    /// # Errors
    /// A sentence says what is wrong with the expression.
    pub fn order_by(&mut self, expression: &str, at: f64) -> Result<(), JsValue> {
        let order = parse_expression(expression).map_err(refusal)?;
        let at = self.instant(at);
        self.run.order_by(&order, at);
        Ok(())
    }

    /// The values of an expression for some of the jobs that wait at an instant, or when most jobs
    /// wait if fewer than two wait then: the first, the last, and some between them.
    ///
    /// # Errors
    /// A sentence says what is wrong with the expression.
    #[wasm_bindgen(unchecked_return_type = "Examples")]
    pub fn examples(&self, expression: &str, at: f64, count: usize) -> Result<JsValue, JsValue> {
        let order = parse_expression(expression).map_err(refusal)?;
        let mut at = self.instant(at);
        let mut ordered = self.run.ordered(&order, at);
        if ordered.len() < 2 {
            at = self.run.longest_queue();
            ordered = self.run.ordered(&order, at);
        }
        let waiting = ordered.len();
        let steps = count.min(waiting).saturating_sub(1).max(1);
        let places = (0..count.min(waiting)).map(|nth| nth * (waiting - 1) / steps);
        let job = |place: usize| {
            let (job, value) = ordered[place];
            OrderedJob {
                number: self.run.replay().jobs[job].number,
                value: Some(value).filter(|value| value.is_finite()),
            }
        };
        Ok(plain(&Examples {
            at: self.seconds(at),
            waiting,
            jobs: places.map(job).collect(),
        }))
    }

    /// Rows of the list: the index of the job, then its value in each column.
    #[wasm_bindgen(unchecked_return_type = "[job: number, row: (number | null)[]][]")]
    pub fn rows(&self, from: usize, count: usize) -> JsValue {
        let from = from.min(self.listed.len());
        let until = (from + count).min(self.listed.len());
        let row = |&job: &JobId| (job.0, self.run.row(job).to_vec());
        let rows: Vec<(u32, Vec<Option<f64>>)> = self.listed[from..until].iter().map(row).collect();
        plain(&rows)
    }

    /// The position of a job in the list; undefined if it is not in it.
    pub fn place_of(&self, job: u32) -> Option<usize> {
        self.listed.iter().position(|listed| listed.0 == job)
    }

    /// The request of a job and its allocation at an instant, or the nearest one.
    ///
    /// # Errors
    /// There is no such job.
    #[wasm_bindgen(unchecked_return_type = "JobAt")]
    pub fn job_details(&self, job: u32, at: f64) -> Result<JsValue, JsValue> {
        let job = self.job(job)?;
        let allocation = self
            .run
            .allocation_near(job, self.instant(at))
            .map(|allocation| {
                let link = |(link, reserved): (LinkId, Kbps)| ReservedLink {
                    part: link.index(),
                    name: self.system().link(link),
                    reserved: reserved.mbps(),
                };
                let part = |(part, slots)| (self.system().holder(part), slots);
                AllocationAt {
                    start: self.seconds(allocation.start),
                    end: self.seconds(allocation.end),
                    works_from: self.seconds(allocation.works_from),
                    migrated: allocation.migrated,
                    parts: allocation.shares().map(part).collect(),
                    links: allocation.held.reservations().map(link).collect(),
                    shared: self.shared_at(allocation, self.instant(at)),
                }
            });
        Ok(plain(&JobAt {
            row: self.run.row(job).to_vec(),
            allocation,
            allocations: self.run.allocations_of(job).count(),
        }))
    }

    /// The decision of the last scheduling pass up to an instant. It lists all jobs in one of the
    /// sets, and of the others those that waited longest.
    ///
    /// # Errors
    /// A sentence says why decisions of such runs are not available.
    #[wasm_bindgen(unchecked_return_type = "Decided")]
    pub fn decided(&self, at: f64) -> Result<JsValue, JsValue> {
        let setup = &self.replay.setup;
        if let Some(why) = why_not_shown(setup) {
            return Err(refusal(why));
        }
        let decision = decision(self.run.replay(), setup, self.instant(at));
        let is_in = |job: &Candidate| job.got.is_some() || job.by_first_fit;
        let chosen = decision.waiting.iter().filter(|job| is_in(job)).count();
        let mut room = CANDIDATES.saturating_sub(chosen);
        let listed = decision.waiting.iter().filter(|job| {
            let fits = is_in(job) || room > 0;
            room -= usize::from(fits && !is_in(job));
            fits
        });
        Ok(plain(&Decided {
            at: self.seconds(decision.at),
            slots: decision.slots,
            free: decision.free,
            unit: setup.queueing.zero_one.unit.seconds(),
            waiting: decision.waiting.len(),
            is_first_fit: decision.is_first_fit(),
            started: decision.started,
            first_fit: decision.first_fit,
            jobs: listed.map(Waited::of).collect(),
        }))
    }

    /// The nearest instant after one, or before it, at which jobs were started while several
    /// waited.
    pub fn next_decision(&self, at: f64, back: bool) -> Option<f64> {
        let time = next(self.run.replay(), self.instant(at), back)?;
        Some(self.seconds(time))
    }

    /// The pixels of a job's share of the bandwidth that it requests, over its allocation at an
    /// instant or the nearest one, on a scale from 0 to 100 %; empty if all of it is guaranteed.
    ///
    /// # Errors
    /// There is no such job.
    pub fn share_strip(
        &self,
        job: u32,
        at: f64,
        width: usize,
        height: usize,
        dark: bool,
    ) -> Result<Option<Uint8ClampedArray>, JsValue> {
        let allocation = self.run.allocation_near(self.job(job)?, self.instant(at));
        let Some((usage, allocation)) = self.usage.as_ref().zip(allocation) else {
            return Ok(None);
        };
        let steps = usage.steps(allocation).into_iter();
        let steps: Vec<(f64, f64)> = steps
            .map(|(time, share)| (self.seconds(time), share))
            .collect();
        let stretch = TimeAxis {
            width,
            from: self.seconds(allocation.start),
            until: self.seconds(allocation.end),
        };
        let raster = strip(stretch, height, &steps, 1.0, strip_colours(dark));
        Ok(Some(Uint8ClampedArray::from(raster.rgba.as_slice())))
    }

    /// What slows a job down over its allocation at an instant, or the nearest one: empty if it
    /// always gets its full request.
    ///
    /// # Errors
    /// There is no such job.
    #[wasm_bindgen(unchecked_return_type = "SlowedOver")]
    pub fn slowed_over(&self, job: u32, at: f64) -> Result<JsValue, JsValue> {
        let allocation = self.run.allocation_near(self.job(job)?, self.instant(at));
        let stretches = self.usage.as_ref().zip(allocation);
        let stretches = stretches.map_or_else(Vec::new, |(usage, allocation)| {
            usage.slowed_during(allocation, self.system())
        });
        let (longest, more) = longest(stretches);
        let sentences = longest.iter().map(|stretch| {
            pieces(self.run.first(), stretch.from, |clock, naming| {
                stretch.told(clock, naming)
            })
        });
        Ok(plain(&SlowedOver {
            longest: sentences.collect(),
            more,
        }))
    }

    /// The parts that represent a job's allocation at an instant, or the nearest one, and the links
    /// that it shares.
    ///
    /// # Errors
    /// There is no such job.
    pub fn marked(&self, job: u32, at: f64) -> Result<Vec<u32>, JsValue> {
        let allocation = self.run.allocation_near(self.job(job)?, self.instant(at));
        let Some(allocation) = allocation else {
            return Ok(Vec::new());
        };
        let mut marked = self.system().marked(allocation);
        if let Some(usage) = &self.usage {
            marked.extend(usage.links_of(allocation).map(|link| link.0));
        }
        Ok(marked)
    }

    /// The pixels that mark, in the picture of that width, the servers or nodes and the links of a
    /// job's allocation at an instant, or the nearest one.
    ///
    /// # Errors
    /// There is no such job.
    pub fn marks(
        &self,
        job: u32,
        at: f64,
        width: usize,
        dark: bool,
    ) -> Result<Uint8ClampedArray, JsValue> {
        let marked = self.marked(job, at)?;
        let colour = shades(dark).over;
        let raster = self.picture(width).map.frame(&marked, colour);
        Ok(Uint8ClampedArray::from(raster.rgba.as_slice()))
    }
}

#[wasm_bindgen]
impl Inspector {
    /// Tells a pass of the run: the last one up to an instant, that at a position, the nearest before
    /// or after a position that starts or suspends a job, or that which starts a job, by its index,
    /// for the first time; null where there is none. The first one costs a run, one after the pass
    /// that was told last what lies between, and an earlier one the run up to it.
    #[wasm_bindgen(unchecked_return_type = "ToldPass | null")]
    pub fn pass(
        &mut self,
        #[wasm_bindgen(
            unchecked_param_type = "'upTo' | 'position' | 'decisionBefore' | 'decisionAfter' | 'startOf'"
        )]
        which: &str,
        of: f64,
    ) -> JsValue {
        let replay = &self.replay;
        let jobs = || replay.playback.run().jobs.clone();
        let begin = || KeptPasses::new(&replay.setup, jobs());
        plain(&self.passes.get_or_insert_with(begin).told(which, of))
    }

    /// Tells the last pass up to an instant of another run of its scenario, which `text`, the cell
    /// and the trace say, as [`Inspector::pass`] does; null where there is none.
    ///
    /// # Errors
    /// The scenario, its workload or the cell is invalid.
    #[wasm_bindgen(unchecked_return_type = "ToldPass | null")]
    pub fn pass_of(
        &mut self,
        text: &str,
        cell: usize,
        trace: &Trace,
        at: f64,
    ) -> Result<JsValue, JsValue> {
        let known = self.others.iter().position(|other| other.0 == cell);
        let place = match known {
            Some(place) => place,
            None => {
                let (mut setup, jobs) = parts(text, cell, trace)?;
                if let Some(spec) = self.replay.setup.system.tree() {
                    setup.system.call_parts_as(Arc::clone(&spec.shape));
                }
                self.others.push((cell, KeptPasses::new(&setup, jobs)));
                self.others.len() - 1
            }
        };
        Ok(plain(&self.others[place].1.told("upTo", at)))
    }
}

/// The setup and the jobs of a cell of a scenario.
fn parts(text: &str, cell: usize, trace: &Trace) -> Result<(Setup, Jobs), JsValue> {
    let scenario = parse(text)?;
    let cells = sweep::cells(&scenario);
    let cell = cells
        .get(cell)
        .ok_or_else(|| refusal(format!("the scenario has no run {cell}")))?;
    sweep::parts(&scenario, *cell, trace.get()).map_err(refusal)
}

/// Why a job of a cell was rejected or waits: sentences as pieces of text, with instants as numbers
/// and links in between. Without `at` the instant is that of its arrival; parts of a tree are called
/// as in the `machine` of the run, where that is given.
///
/// # Errors
/// The scenario, its workload or the cell is invalid, there is no such job, or the policy cannot be
/// explained.
#[wasm_bindgen(unchecked_return_type = "(string | number | NamedLink)[]")]
pub fn explain(
    text: &str,
    cell: usize,
    trace: &Trace,
    job: u32,
    at: Option<f64>,
    #[wasm_bindgen(unchecked_optional_param_type = "ReplayInfo['machine']")] machine: JsValue,
) -> Result<JsValue, JsValue> {
    let (mut setup, jobs) = parts(text, cell, trace)?;
    if let Some(spec) = setup.system.tree()
        && let Ok(Shown::Tree(shown)) = serde_wasm_bindgen::from_value(machine)
    {
        let named = Shape::clone(&spec.shape).called(shown.names);
        setup.system.call_parts_as(named.into());
    }
    if let Some(why) = explain::unexplained(&setup) {
        return Err(refusal(why));
    }
    if job as usize >= jobs.len() {
        return Err(refusal(format!("the run has no job {job}")));
    }
    let first = jobs[JobId(0)].submit;
    let at = at.map(|seconds| Time(first.0 + round(seconds * 1e6)));
    let explanation = explain::explain(&setup, jobs, JobId(job), at);
    let at = explanation.at;
    Ok(plain(&pieces(first, at, |clock, naming| {
        explanation.told(clock, naming)
    })))
}

fn strip_colours(dark: bool) -> StripColours {
    let (theme, shades) = (theme(dark), shades(dark));
    StripColours {
        area: mixed(theme.series[0], shades.idle, 0.35),
        line: theme.series[0],
        background: shades.idle,
    }
}

fn theme(dark: bool) -> &'static Theme {
    if dark { &Theme::DARK } else { &Theme::LIGHT }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colourings_are_columns_and_the_first_is_by_job() {
        let mut named = COLOURINGS.iter().chain(&SLOWED);
        assert!(named.all(|name| column(name).is_some()));
        assert_eq!(COLOURINGS[0], COLUMNS[0].name);
    }
}
