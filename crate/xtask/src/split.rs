//! The module of the page in two parts: what a first visit calls, which is sent at once, and the rest,
//! which is fetched when somebody begins to use the page or something of it is called.
//!
//! Which functions a first visit calls is found out by making one (`www/visit.mjs`): `watch` writes the
//! module so that each function notes that it was called. To whoever calls them both parts are one:
//! they share memory, tables and globals, and every function of the rest that the first part names has
//! a slot in the table of functions. Until the rest is there, that slot holds a stand-in, which has the
//! rest fetched (`want_rest` of the module) and then calls what is in the slot. Where the first part
//! calls such a function, it calls what is in the slot: once the rest has come, nothing is asked.
//!
//! The method is that of Binaryen's `wasm-split`, which is no crate.

use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::ops::Range;
use wasm_encoder::reencode::{Error, Reencode, RoundtripReencoder};
use wasm_encoder::{
    CodeSection, ConstExpr, ElementSection, Elements, EntityType, ExportKind, ExportSection,
    Function, FunctionSection, GlobalSection, GlobalType, ImportSection, Instruction, MemoryType,
    Module, TableSection, TableType, TypeSection, ValType,
};
use wasmparser::{
    CodeSectionReader, Element, ElementItems, ElementKind, ElementSectionReader, Export,
    ExportSectionReader, ExternalKind, FunctionBody, FunctionSectionReader, GlobalSectionReader,
    Operator, Parser, Payload, TableSectionReader, TypeRef, Validator,
};

/// The function that has the rest fetched.
const WANT: &str = "want_rest";
/// What the rest imports all from.
const FIRST: &str = "first";
/// How `watch` names what says whether a function was called, before its number.
const CALLED: &str = "called ";

type Reencoded<T> = Result<T, Error<Infallible>>;

/// Both parts of a module.
pub(crate) struct Parts {
    pub(crate) first: Vec<u8>,
    pub(crate) rest: Vec<u8>,
}

/// The same module, in which a global `called N` becomes 1 once the N-th of its own functions is
/// called.
pub(crate) fn watch(module: &[u8]) -> Result<Vec<u8>> {
    let facts = Facts::of(module)?;
    let mut watched = Module::new();
    let mut watch = Watch {
        globals: facts.globals.len() as u32,
        functions: facts.bodies.len() as u32,
        next: 0,
    };
    watch.parse_core_module(&mut watched, Parser::new(0), module)?;
    Ok(watched.finish())
}

struct Watch {
    /// How many globals the module has.
    globals: u32,
    /// How many functions are its own.
    functions: u32,
    /// The next of them.
    next: u32,
}

impl Reencode for Watch {
    type Error = Infallible;

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: GlobalSectionReader<'_>,
    ) -> Reencoded<()> {
        RoundtripReencoder.parse_global_section(globals, section)?;
        let number = GlobalType {
            val_type: ValType::I32,
            mutable: true,
            shared: false,
        };
        for _ in 0..self.functions {
            globals.global(number, &ConstExpr::i32_const(0));
        }
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: ExportSectionReader<'_>,
    ) -> Reencoded<()> {
        RoundtripReencoder.parse_export_section(exports, section)?;
        for function in 0..self.functions {
            let name = format!("{CALLED}{function}");
            exports.export(&name, ExportKind::Global, self.globals + function);
        }
        Ok(())
    }

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: FunctionBody<'_>,
    ) -> Reencoded<()> {
        let mut function = self.new_function_with_parsed_locals(&body)?;
        function.instruction(&Instruction::I32Const(1));
        function.instruction(&Instruction::GlobalSet(self.globals + self.next));
        self.next += 1;
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            function.instruction(&self.parse_instruction(&mut operators)?);
        }
        code.function(&function);
        Ok(())
    }
}

/// Splits a module; `called` has the positions of the own functions that the first part keeps.
pub(crate) fn split(module: &[u8], called: &BTreeSet<usize>) -> Result<Parts> {
    let facts = Facts::of(module)?;
    let plan = Plan::of(&facts, called)?;
    let mut first = Module::new();
    First::new(&facts, &plan).parse_core_module(&mut first, Parser::new(0), module)?;
    let (first, rest) = (first.finish(), rest(&facts, &plan)?);
    for part in [&first, &rest] {
        Validator::new()
            .validate_all(part)
            .context("the module has something that cannot be split")?;
    }
    Ok(Parts { first, rest })
}

/// What a module has.
#[derive(Default)]
struct Facts<'a> {
    types: TypeSection,
    /// How many parameters a function of each type has.
    parameters: Vec<u32>,
    /// How many functions are imported; they come before all others.
    imported: u32,
    /// The types of all functions.
    functions: Vec<u32>,
    tables: Vec<TableType>,
    memories: Vec<MemoryType>,
    globals: Vec<GlobalType>,
    exports: Vec<Export<'a>>,
    /// The functions in slots of the first table.
    slots: BTreeMap<u32, u32>,
    bodies: Vec<FunctionBody<'a>>,
}

impl<'a> Facts<'a> {
    fn of(module: &'a [u8]) -> Result<Facts<'a>> {
        let mut facts = Facts::default();
        let mut same = RoundtripReencoder;
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::TypeSection(types) => {
                    for kind in types.clone().into_iter_err_on_gc_types() {
                        facts.parameters.push(kind?.params().len() as u32);
                    }
                    same.parse_type_section(&mut facts.types, types)?;
                }
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        let TypeRef::Func(kind) = import?.ty else {
                            bail!("the module imports more than functions");
                        };
                        facts.functions.push(kind);
                    }
                    facts.imported = facts.functions.len() as u32;
                }
                Payload::FunctionSection(functions) => {
                    for kind in functions {
                        facts.functions.push(kind?);
                    }
                }
                Payload::TableSection(tables) => {
                    for table in tables {
                        facts.tables.push(same.table_type(table?.ty)?);
                    }
                }
                Payload::MemorySection(memories) => {
                    for memory in memories {
                        facts.memories.push(same.memory_type(memory?)?);
                    }
                }
                Payload::GlobalSection(globals) => {
                    for global in globals {
                        facts.globals.push(same.global_type(global?.ty)?);
                    }
                }
                Payload::ExportSection(exports) => {
                    facts.exports = exports.into_iter().collect::<Result<_, _>>()?;
                }
                Payload::StartSection { .. } => bail!("the module starts by itself"),
                Payload::ElementSection(elements) => {
                    for element in elements {
                        facts.fill(&element?)?;
                    }
                }
                Payload::CodeSectionEntry(body) => facts.bodies.push(body),
                _ => {}
            }
        }
        Ok(facts)
    }

    /// Takes note of what `element` puts into the first table.
    fn fill(&mut self, element: &Element<'_>) -> Result<()> {
        let ElementKind::Active {
            table_index,
            offset_expr,
        } = &element.kind
        else {
            bail!("the module has functions that are in no table from the start");
        };
        let Operator::I32Const { value } = offset_expr.get_operators_reader().read()? else {
            bail!("the module computes where functions are in the table");
        };
        let ElementItems::Functions(functions) = &element.items else {
            bail!("the module computes which functions are in the table");
        };
        if table_index.is_some_and(|table| table != 0) {
            bail!("the module has functions in a second table");
        }
        for (slot, function) in (value as u32..).zip(functions.clone()) {
            self.slots.insert(slot, function?);
        }
        Ok(())
    }

    /// The body of an own function.
    fn body(&self, function: u32) -> FunctionBody<'a> {
        self.bodies[(function - self.imported) as usize].clone()
    }

    /// The functions that the body of an own function names.
    fn named_by(&self, function: u32) -> Result<BTreeSet<u32>> {
        let mut named = BTreeSet::new();
        for operator in self.body(function).get_operators_reader()? {
            match operator? {
                Operator::Call { function_index } => named.insert(function_index),
                Operator::ReturnCall { .. } | Operator::RefFunc { .. } => {
                    bail!("the module names functions otherwise than in calls")
                }
                _ => continue,
            };
        }
        Ok(named)
    }
}

/// Which functions are where.
struct Plan {
    /// The own functions of the first part.
    first: Vec<u32>,
    /// The own functions of the rest.
    rest: Vec<u32>,
    /// The slots of those of the rest that the first part names.
    slots: BTreeMap<u32, u32>,
    /// The slots that are added for them, and what is in each.
    added: Vec<u32>,
    /// What the rest names of the first part.
    shared: Vec<u32>,
    /// All tables, the first one with the added slots.
    tables: Vec<TableType>,
    /// The function that has the rest fetched.
    want: u32,
}

/// A table, memory or global, which both parts have.
struct State {
    name: String,
    kind: ExportKind,
    position: u32,
    of: EntityType,
}

impl Plan {
    fn of(facts: &Facts<'_>, called: &BTreeSet<usize>) -> Result<Plan> {
        let own = facts.imported..facts.functions.len() as u32;
        let (first, rest): (Vec<_>, Vec<_>) =
            own.partition(|&function| called.contains(&((function - facts.imported) as usize)));
        let is_rest: BTreeSet<_> = rest.iter().copied().collect();
        let want = facts.exports.iter().find(|export| export.name == WANT);
        let want = want
            .context("the module has no way to ask for the rest")?
            .index;
        if is_rest.contains(&want) {
            bail!("`{WANT}` itself must be called in a first visit");
        }

        let mut slots = BTreeMap::new();
        for (&slot, function) in &facts.slots {
            if is_rest.contains(function) {
                slots.entry(*function).or_insert(slot);
            }
        }
        let mut named = BTreeSet::new();
        for &function in &first {
            named.extend(facts.named_by(function)?);
        }
        let functions = facts
            .exports
            .iter()
            .filter(|export| export.kind == ExternalKind::Func);
        named.extend(functions.map(|export| export.index));
        let mut added = Vec::new();
        let size = facts.tables[0].minimum as u32;
        for function in named.intersection(&is_rest) {
            slots.entry(*function).or_insert_with(|| {
                added.push(*function);
                size + added.len() as u32 - 1
            });
        }

        let mut shared = BTreeSet::new();
        for &function in &rest {
            shared.extend(facts.named_by(function)?);
        }
        let shared = shared.difference(&is_rest).copied().collect();
        let mut tables = facts.tables.clone();
        let more = added.len() as u64;
        tables[0].minimum += more;
        tables[0].maximum = tables[0].maximum.map(|maximum| maximum + more);
        Ok(Plan {
            first,
            rest,
            slots,
            added,
            shared,
            tables,
            want,
        })
    }

    /// What both parts have besides functions.
    fn state(&self, facts: &Facts<'_>) -> Vec<State> {
        let tables = self.tables.iter().map(|&of| EntityType::Table(of));
        let memories = facts.memories.iter().map(|&of| EntityType::Memory(of));
        let globals = facts.globals.iter().map(|&of| EntityType::Global(of));
        let named = |word, kind| {
            move |(of, position)| State {
                name: format!("{word} {position}"),
                kind,
                position,
                of,
            }
        };
        (tables.zip(0..).map(named("table", ExportKind::Table)))
            .chain(memories.zip(0..).map(named("memory", ExportKind::Memory)))
            .chain(globals.zip(0..).map(named("global", ExportKind::Global)))
            .collect()
    }
}

/// Writes the first part.
struct First<'a> {
    facts: &'a Facts<'a>,
    plan: &'a Plan,
    /// The new positions of the functions that are kept or have a stand-in.
    places: BTreeMap<u32, u32>,
}

impl<'a> First<'a> {
    fn new(facts: &'a Facts<'a>, plan: &'a Plan) -> First<'a> {
        let all = (0..facts.imported)
            .chain(plan.first.iter().copied())
            .chain(plan.slots.keys().copied());
        let places = all.zip(0..).collect();
        First {
            facts,
            plan,
            places,
        }
    }

    /// Has the rest fetched, and calls what is in the slot then.
    fn stand_in(&self, function: u32, slot: u32) -> Function {
        let kind = self.facts.functions[function as usize];
        let mut body = Function::new([]);
        body.instruction(&Instruction::Call(self.places[&self.plan.want]));
        for parameter in 0..self.facts.parameters[kind as usize] {
            body.instruction(&Instruction::LocalGet(parameter));
        }
        self.call(&mut body, function, slot);
        body.instruction(&Instruction::End);
        body
    }

    /// Adds a call of what is in the `slot` of a function.
    fn call(&self, body: &mut Function, function: u32, slot: u32) {
        body.instruction(&Instruction::I32Const(slot as i32));
        body.instruction(&Instruction::CallIndirect {
            type_index: self.facts.functions[function as usize],
            table_index: 0,
        });
    }
}

impl Reencode for First<'_> {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Reencoded<u32> {
        Ok(self.places[&function])
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        _: FunctionSectionReader<'_>,
    ) -> Reencoded<()> {
        for &function in self.plan.first.iter().chain(self.plan.slots.keys()) {
            functions.function(self.facts.functions[function as usize]);
        }
        Ok(())
    }

    fn parse_table_section(
        &mut self,
        tables: &mut TableSection,
        _: TableSectionReader<'_>,
    ) -> Reencoded<()> {
        for &table in &self.plan.tables {
            tables.table(table);
        }
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: ExportSectionReader<'_>,
    ) -> Reencoded<()> {
        for export in section {
            self.parse_export(exports, export?)?;
        }
        for (number, function) in self.plan.shared.iter().enumerate() {
            exports.export(&number.to_string(), ExportKind::Func, self.places[function]);
        }
        for shared in self.plan.state(self.facts) {
            exports.export(&shared.name, shared.kind, shared.position);
        }
        Ok(())
    }

    fn parse_element_section(
        &mut self,
        elements: &mut ElementSection,
        section: ElementSectionReader<'_>,
    ) -> Reencoded<()> {
        for element in section {
            self.parse_element(elements, element?)?;
        }
        let added: Vec<_> = self
            .plan
            .added
            .iter()
            .map(|function| self.places[function])
            .collect();
        let begin = self.facts.tables[0].minimum as i32;
        elements.active(
            None,
            &ConstExpr::i32_const(begin),
            Elements::Functions(added.into()),
        );
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        _: CodeSectionReader<'_>,
    ) -> Reencoded<()> {
        for &function in &self.plan.first {
            self.parse_function_body(code, self.facts.body(function))?;
        }
        for (&function, &slot) in &self.plan.slots {
            code.function(&self.stand_in(function, slot));
        }
        Ok(())
    }

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: FunctionBody<'_>,
    ) -> Reencoded<()> {
        let mut function = self.new_function_with_parsed_locals(&body)?;
        for operator in body.get_operators_reader()? {
            let operator = operator?;
            if let Operator::Call { function_index } = operator
                && let Some(&slot) = self.plan.slots.get(&function_index)
            {
                self.call(&mut function, function_index, slot);
            } else {
                function.instruction(&self.instruction(operator)?);
            }
        }
        code.function(&function);
        Ok(())
    }
}

/// Writes the rest.
struct Rest {
    /// The positions in the rest of what it has and names.
    places: BTreeMap<u32, u32>,
}

impl Reencode for Rest {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Reencoded<u32> {
        Ok(self.places[&function])
    }
}

fn rest(facts: &Facts<'_>, plan: &Plan) -> Result<Vec<u8>> {
    let mut imports = ImportSection::new();
    for (number, &function) in plan.shared.iter().enumerate() {
        let kind = EntityType::Function(facts.functions[function as usize]);
        imports.import(FIRST, &number.to_string(), kind);
    }
    for shared in plan.state(facts) {
        imports.import(FIRST, &shared.name, shared.of);
    }

    let all = plan.shared.iter().chain(&plan.rest).copied();
    let mut writer = Rest {
        places: all.zip(0..).collect(),
    };
    let mut functions = FunctionSection::new();
    let mut code = CodeSection::new();
    for &function in &plan.rest {
        functions.function(facts.functions[function as usize]);
        writer.parse_function_body(&mut code, facts.body(function))?;
    }

    let size = facts.tables[0].minimum as u32;
    let mut slots = facts.slots.clone();
    slots.extend((size..).zip(plan.added.iter().copied()));
    slots.retain(|_, function| plan.slots.contains_key(function));
    let mut elements = ElementSection::new();
    for run in runs(&slots) {
        let functions: Vec<_> = run
            .clone()
            .map(|slot| writer.places[&slots[&slot]])
            .collect();
        let begin = ConstExpr::i32_const(run.start as i32);
        elements.active(None, &begin, Elements::Functions(functions.into()));
    }

    let mut module = Module::new();
    module
        .section(&facts.types)
        .section(&imports)
        .section(&functions)
        .section(&elements)
        .section(&code);
    Ok(module.finish())
}

/// The slots one after the other, as ranges without gaps.
fn runs(slots: &BTreeMap<u32, u32>) -> Vec<Range<u32>> {
    let mut runs: Vec<Range<u32>> = Vec::new();
    for &slot in slots.keys() {
        match runs.last_mut() {
            Some(run) if run.end == slot => run.end += 1,
            _ => runs.push(slot..slot + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::MemorySection;

    /// `start`, which calls `rare` in the table, `want_rest`, `rare`, which calls `common` and what is
    /// imported, and `common`; all take a number and return one but `want_rest`.
    fn sample() -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([ValType::I32], [ValType::I32]);
        types.ty().function([], []);
        let mut imports = ImportSection::new();
        imports.import("host", "given", EntityType::Function(0));
        let mut functions = FunctionSection::new();
        for kind in [0, 1, 0, 0] {
            functions.function(kind);
        }
        let mut tables = TableSection::new();
        tables.table(TableType {
            element_type: wasm_encoder::RefType::FUNCREF,
            table64: false,
            minimum: 2,
            maximum: Some(2),
            shared: false,
        });
        let mut memories = MemorySection::new();
        memories.memory(MemoryType {
            minimum: 1,
            maximum: None,
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
        let mut exports = ExportSection::new();
        exports.export("start", ExportKind::Func, 1);
        exports.export(WANT, ExportKind::Func, 2);
        let mut elements = ElementSection::new();
        elements.active(
            None,
            &ConstExpr::i32_const(1),
            Elements::Functions(vec![3].into()),
        );
        let mut code = CodeSection::new();
        for calls in [vec![3], vec![], vec![4, 0], vec![]] {
            let mut body = Function::new([]);
            if code.len() != 1 {
                body.instruction(&Instruction::LocalGet(0));
            }
            for function in calls {
                body.instruction(&Instruction::Call(function));
            }
            body.instruction(&Instruction::End);
            code.function(&body);
        }
        let mut module = Module::new();
        module
            .section(&types)
            .section(&imports)
            .section(&functions)
            .section(&tables)
            .section(&memories)
            .section(&exports)
            .section(&elements)
            .section(&code);
        module.finish()
    }

    fn exported(module: &[u8]) -> Vec<String> {
        let exports = Facts::of(module).unwrap().exports;
        exports
            .iter()
            .map(|export| export.name.to_owned())
            .collect()
    }

    #[test]
    fn the_first_part_shares_what_the_rest_names() {
        let Parts { first, .. } = split(&sample(), &BTreeSet::from([0, 1, 3])).unwrap();
        // What is imported and `common`, by number.
        assert_eq!(
            exported(&first),
            ["start", WANT, "0", "1", "table 0", "memory 0"]
        );
        let facts = Facts::of(&first).unwrap();
        // `start` calls through the slot of `rare`, which has a stand-in that asks for the rest.
        assert_eq!(facts.named_by(1).unwrap(), BTreeSet::new());
        assert_eq!(
            facts.named_by(facts.slots[&1]).unwrap(),
            BTreeSet::from([2])
        );
    }

    #[test]
    fn what_asks_for_the_rest_is_no_part_of_it() {
        assert!(split(&sample(), &BTreeSet::from([0])).is_err());
    }

    #[test]
    fn a_watched_module_says_of_each_function_whether_it_was_called() {
        let watched = watch(&sample()).unwrap();
        let mut names = exported(&watched);
        assert_eq!(
            names.split_off(2),
            ["called 0", "called 1", "called 2", "called 3"]
        );
    }

    #[test]
    fn slots_without_gaps_are_a_run() {
        let slots = [2, 3, 5].map(|slot| (slot, 0)).into();
        assert_eq!(runs(&slots), [2..4, 5..6]);
    }
}
