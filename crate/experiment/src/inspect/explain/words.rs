//! The sentences: they say the facts and nothing else.

use std::fmt;

use super::facts::{Explanation, Possible, SlowedDuring, Statement};
use super::list::{list, many};
use super::parts;
use backfill_sim::id::LinkId;
use backfill_sim::unit::Time;

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clock = &|time: Time| time.to_string();
        let link = &|_: LinkId, name: &str| name.to_owned();
        Sentences(self, clock, link).fmt(f)
    }
}

/// What turns an instant into words.
type Clock<'a> = &'a dyn Fn(Time) -> String;

/// What turns a link and what it is called into words.
type Naming<'a> = &'a dyn Fn(LinkId, &str) -> String;

/// An explanation whose instants are said as a clock says them, and its links by their naming.
struct Sentences<'a>(&'a Explanation, Clock<'a>, Naming<'a>);

impl fmt::Display for Sentences<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sentences(explanation, ..) = self;
        let (number, size) = (explanation.number, explanation.size);
        match explanation.bandwidth {
            Some(bandwidth) => {
                write!(
                    f,
                    "Job {number} asks for {} of {bandwidth} each.",
                    many(size, "slot")
                )?;
            }
            None => write!(f, "Job {number} asks for {}.", many(size, explanation.unit))?,
        }
        for statement in &explanation.statements {
            write!(f, " ")?;
            self.say(statement, f)?;
        }
        Ok(())
    }
}

impl Explanation {
    /// In words, as `Display` says it, with every instant as `clock` says it and every link as
    /// `naming` does.
    pub fn told(&self, clock: Clock<'_>, naming: Naming<'_>) -> String {
        Sentences(self, clock, naming).to_string()
    }
}

/// A stretch of time over which a job was slowed, as a clock and a naming say it.
struct Stretch<'a>(&'a SlowedDuring, Clock<'a>, Naming<'a>);

impl fmt::Display for Stretch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stretch(stretch, clock, naming) = self;
        write!(
            f,
            "From {} to {} it is slowed to {:.1} % of its undisturbed speed by the link {}",
            clock(stretch.from),
            clock(stretch.until),
            100.0 * stretch.speed,
            naming(stretch.link, &stretch.name)
        )?;
        say_sharers(&stretch.with, f)?;
        write!(
            f,
            ": it has {:.1} % of the bandwidth it asks for.",
            100.0 * stretch.share
        )
    }
}

impl SlowedDuring {
    /// In a sentence, with every instant as `clock` says it and the link as `naming` does.
    pub fn told(&self, clock: Clock<'_>, naming: Naming<'_>) -> String {
        Stretch(self, clock, naming).to_string()
    }
}

/// With whom a link is shared.
fn say_sharers(with: &[u64], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match with {
        [] => Ok(()),
        [other] => write!(f, ", shared with job {other}"),
        others => {
            write!(f, ", shared with jobs ")?;
            list(f, others, |other, f| write!(f, "{other}"))
        }
    }
}

impl Sentences<'_> {
    fn say_place(&self, placement: &Possible, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on = self.0.part;
        list(f, &placement.shares, |(part, slots), f| {
            write!(f, "{slots} on {on} {part}")
        })?;
        write!(f, ".")
    }

    fn say(&self, statement: &Statement, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sentences(explanation, clock, naming) = self;
        let placement = &explanation.placement;
        let at = clock(explanation.at);
        let unit = explanation.unit;
        match statement {
            Statement::NotArrived { submit } => write!(f, "It arrives at {}.", clock(*submit)),
            Statement::NotSubmitted {
                after,
                think,
                earliest,
            } => {
                let think = Time(think.0);
                write!(
                    f,
                    "At {at} it has not been submitted yet: that comes {think} after the end of job \
                     {after}"
                )?;
                if *earliest > explanation.at {
                    write!(f, ", and not before {}.", clock(*earliest))
                } else {
                    write!(f, ".")
                }
            }
            Statement::Followed {
                logged,
                submit,
                after,
                think,
            } => write!(
                f,
                "It was submitted at {}, {} after the end of job {after}, and not at {} as the log \
                 says.",
                clock(*submit),
                Time(think.0),
                clock(*logged)
            ),
            Statement::Running { since } => {
                write!(f, "At {at} it is running, since {}.", clock(*since))
            }
            Statement::Slowed {
                share,
                speed,
                link,
                name,
                with,
            } => {
                let name = naming(*link, name);
                write!(
                    f,
                    "It has {:.1} % of the bandwidth it asks for and runs at {:.1} % of its undisturbed \
                     speed: the link {name} is full",
                    100.0 * share,
                    100.0 * speed
                )?;
                say_sharers(with, f)?;
                write!(f, ".")
            }
            Statement::SlowedOver { longest, more } => {
                for (nth, stretch) in longest.iter().enumerate() {
                    let apart = if nth > 0 { " " } else { "" };
                    write!(f, "{apart}{}", Stretch(stretch, clock, naming))?;
                }
                match more {
                    0 => Ok(()),
                    1 => write!(f, " It is slowed in one shorter stretch, too."),
                    more => write!(f, " It is slowed in {more} shorter stretches, too."),
                }
            }
            Statement::Paying { until } => {
                write!(f, "It pays for its migration until {}.", clock(*until))
            }
            Statement::Left { time, waited } => write!(
                f,
                "It left the queue at {}, after {}, as its user did in the log.",
                clock(*time),
                Time(waited.0)
            ),
            Statement::Ended { end } => write!(f, "It ended at {}.", clock(*end)),
            Statement::Infeasible {
                largest_size,
                largest_bandwidth,
            } => {
                if explanation.spread_by_placement {
                    write!(f, "Under {placement} it")?;
                } else {
                    write!(f, "It")?;
                }
                write!(f, " does not fit even on the empty system. ")?;
                match largest_bandwidth {
                    Some(bandwidth) => write!(
                        f,
                        "It would fit with at most {} at this bandwidth, or at this size with at most \
                         {bandwidth} each.",
                        many(*largest_size, unit)
                    ),
                    None => write!(
                        f,
                        "It would fit with at most {}.",
                        many(*largest_size, unit)
                    ),
                }
            }
            Statement::Unplaceable { possible } => {
                write!(
                    f,
                    "{placement} finds no placement for it on the empty system"
                )?;
                match possible {
                    Some(possible) => {
                        write!(f, ", although one exists: ")?;
                        self.say_place(possible, f)
                    }
                    None => write!(
                        f,
                        "; no exact test applies here, so whether one exists is unknown."
                    ),
                }
            }
            Statement::Missed { possible } => {
                write!(
                    f,
                    "At {at} a placement exists that {placement} did not find: "
                )?;
                self.say_place(possible, f)
            }
            Statement::NotFound => write!(
                f,
                "At {at} {placement} finds no placement; no exact test applies here, so whether one \
                 exists is unknown."
            ),
            Statement::TooFewSlots { free: 0 } => write!(f, "At {at} no {unit} is free."),
            Statement::TooFewSlots { free } => {
                let are = if *free == 1 { "is" } else { "are" };
                write!(f, "At {at} only {} {are} free.", many(*free, unit))
            }
            Statement::Scattered { free } => write!(
                f,
                "At {at} {} are free, but so fragmented that it would not fit even if nothing were \
                 reserved on any link.",
                many(*free, unit)
            ),
            Statement::Links { links } => {
                let (these, keep) = match links.len() {
                    1 => ("this link", "it"),
                    _ => ("these links", "any one of them"),
                };
                write!(
                    f,
                    "At {at} it would fit if {these} had no reservations, but not if {keep} kept its \
                     reservations: "
                )?;
                list(f, links, |link, f| {
                    let (residual, need) = (link.residual, link.need);
                    let name = naming(link.link, &link.name);
                    write!(f, "{name} ({residual} left, {need} needed)")
                })?;
                write!(f, ".")
            }
            Statement::Parts { refusal } => {
                write!(f, "At {at} ")?;
                parts::say(refusal, explanation, f)
            }
            Statement::FitsLater { time, ended } => write!(
                f,
                "By estimates it would fit at {}, once {} ended, if nothing more started.",
                clock(*time),
                match ended {
                    1 => "one running job has".to_owned(),
                    _ => format!("{ended} running jobs have"),
                }
            ),
            Statement::Behind { ahead, head } => write!(
                f,
                "At {at} {} ahead of it in the queue, which is blocked by job {head}.",
                match ahead {
                    1 => "one job is".to_owned(),
                    _ => format!("{ahead} jobs are"),
                }
            ),
            Statement::InOrder { value, before } => {
                let said = |value: &Option<f64>| match value {
                    Some(value) => value.to_string(),
                    None => "not finite".to_owned(),
                };
                write!(f, "Its value in the queue order is {}", said(value))?;
                match before {
                    Some((other, theirs)) if theirs == value => {
                        write!(
                            f,
                            "; job {other} before it has the same value and arrived earlier."
                        )
                    }
                    Some((other, theirs)) => write!(
                        f,
                        "; that of the job before it, job {other}, is {}.",
                        said(theirs)
                    ),
                    None => write!(f, "; it is first in the queue."),
                }
            }
            Statement::Fits { possible } => {
                write!(f, "At {at} a placement exists for it: ")?;
                self.say_place(possible, f)
            }
            Statement::WouldDelay {
                tried,
                head,
                shadow,
                end,
            } => write!(
                f,
                "At {} a placement existed for it, but by its estimate it would have ended at {}; \
                 job {head}, the first that does not fit, can start at {}, and {placement} would then \
                 find no placement for job {head}.",
                clock(*tried),
                clock(*end),
                clock(*shadow)
            ),
            Statement::WouldDelayOne {
                tried,
                reserved,
                end,
            } => {
                write!(
                    f,
                    "At {} a placement existed for it, but by its estimate it would have ended at {}, \
                     and one of the reservations made before would not have been kept: ",
                    clock(*tried),
                    clock(*end)
                )?;
                list(f, reserved, |(job, start), f| {
                    write!(f, "job {job} at {}", clock(*start))
                })?;
                write!(f, ".")
            }
            Statement::Declined {
                tried,
                leaves,
                most,
                until,
            } => write!(
                f,
                "At {} a placement existed for it, on {leaves} leaves: it waits for at most {most} \
                 until {}.",
                clock(*tried),
                clock(*until)
            ),
            Statement::Reserved { start } => {
                write!(f, "It has a reservation for {}.", clock(*start))
            }
        }
    }
}
