//! What can be said of curves: one file for each check, with its rule in words beside its code.
//!
//! Policies go by their names in the scenario; a policy *leads* by how much its metric is better.
//!
//! - `rule`: what every check answers
//!
//! Orders of policies:
//! - `better`: policies lead others
//! - `one_better`: one of some policies leads others
//! - `never_worse`: a policy is nowhere behind another
//! - `same`: two policies are the same everywhere
//! - `close`: policies lie closer together than to a reference
//! - `lowest_at`: a policy does best at one value of x
//!
//! Sizes of leads:
//! - `lead_at`: the lead at an x lies in a range
//! - `lead_below`: no lead is as large
//! - `largest_lead`: the largest lead over all x lies in a range
//! - `relative_lead_at`: the relative lead at an x lies in a range
//! - `lowers`: the average relative lead over figures is a printed percentage
//!
//! Shapes of curves:
//! - `lead_trend`: a lead grows or shrinks with x
//! - `trend`: curves rise or fall with x
//! - `rises_steadily`: curves rise from every value of x to the next
//! - `rises_ever_faster`: curves rise and bend upwards
//! - `steeper`: curves are steeper after an x than before
//! - `flat`: curves hardly change with x
//!
//! Numbers:
//! - `peak`: the greatest mean lies in a range
//! - `never`: no run exceeds a limit
//! - `mean_at`: the mean at an x lies in a range
//! - `crossing`: curves cross where a metric lies in a range
//!
//! Other figures:
//! - `gain_larger_than`: a gain is larger than in another figure
//! - `larger_than`: a metric is larger than in another figure
//!
//! Checks of checks:
//! - `of`: another metric than the figure's
//! - `within`: some values of x
//! - `certain`: nothing can refute it

mod better;
mod certain;
mod close;
mod crossing;
mod flat;
mod gain_larger_than;
mod larger_than;
mod largest_lead;
mod lead_at;
mod lead_below;
mod lead_trend;
mod lowers;
mod lowest_at;
mod mean_at;
mod never;
mod never_worse;
mod of;
mod one_better;
mod peak;
mod relative_lead_at;
mod rises_ever_faster;
mod rises_steadily;
mod rule;
mod same;
mod steeper;
mod trend;
mod within;

pub use better::Better;
pub use certain::Certain;
pub use close::Close;
pub use crossing::Crossing;
pub use flat::Flat;
pub use gain_larger_than::GainLargerThan;
pub use larger_than::LargerThan;
pub use largest_lead::LargestLead;
pub use lead_at::LeadAt;
pub use lead_below::LeadBelow;
pub use lead_trend::{LeadGrows, LeadShrinks};
pub use lowers::Lowers;
pub use lowest_at::LowestAt;
pub use mean_at::MeanAt;
pub use never::Never;
pub use never_worse::NeverWorse;
pub use of::Of;
pub use one_better::OneBetter;
pub use peak::Peak;
pub use relative_lead_at::RelativeLeadAt;
pub use rises_ever_faster::RisesEverFaster;
pub use rises_steadily::RisesSteadily;
pub use rule::{Check, CurveClaim, Extent, Names};
pub use same::Same;
pub use steeper::Steeper;
pub use trend::{Falls, Rises};
pub use within::Within;
