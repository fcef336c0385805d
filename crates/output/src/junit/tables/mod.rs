//! Tests of one shape become the rows of one parameterized test.
//!
//! * [`sites`]: the literals in which they may differ
//! * [`csv`]: rows as text

pub(crate) mod csv;
mod sites;

use std::collections::{BTreeMap, BTreeSet};

use bytecode::descriptor::PrimitiveType;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use bytecode::signature::GenericType;
use testcase::cluster::TestCluster;
use testcase::statement::{Statement, VarRef};

use crate::asserted_test::AssertedTest;

use self::sites::{Kind, Literals, Site};
use super::ast::{Expr, Line, Method, Rows, Stmt, Table};
use super::layout::flat;
use super::literals::{Context, literal};
use super::naming::test_names::TestWords;
use super::naming::variables::{Scope, role};
use super::naming::words::capitalized;
use super::part::{Part, Row, row_of};

/// Fewest tests that become a table: one of two rows is as long as the two methods, and says less by its name.
const LEAST_ROWS: usize = 3;
/// Most rows that a reader keeps in mind; what is beyond them makes tables of its own.
const MOST_ROWS: usize = 20;
/// Most columns that read well.
const MOST_COLUMNS: usize = 6;
/// Longest body in which a reader still sees where the values of a row go.
const MOST_LINES: usize = 8;
/// Longest literal of a test that becomes a row.
const LONGEST_LITERAL: usize = 40;
/// Widest row.
const WIDEST_ROW: usize = 90;
/// What the assertion's own value is called.
const EXPECTED: &str = "expected";

/// Puts tests of one shape together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tables<'a> {
    pub(super) cluster: &'a TestCluster,
    pub(super) hierarchy: &'a ClassHierarchy,
    pub(super) suite: &'a [AssertedTest],
    /// Names that no variable gets.
    pub(super) reserved: &'a BTreeSet<String>,
    /// Tests that stay methods of their own, by number.
    pub(super) apart: &'a BTreeSet<usize>,
}

/// What tests of one shape have in common.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    statements: Vec<String>,
    body: String,
}

/// A column of a table.
#[derive(Debug)]
struct Column {
    name: String,
    of: GenericType,
    /// A literal per row.
    values: Vec<Expr>,
    /// The sites of the body in which its parameter stands.
    sites: Vec<usize>,
}

impl Tables<'_> {
    /// The parts with those of one shape put together, each table where its first test stood. Tests that a file has as rows
    /// of one method stay so, those that it has as methods stay methods.
    pub(super) fn merged(&self, parts: Vec<Part>) -> Vec<Part> {
        let mut shapes: BTreeMap<Shape, Vec<usize>> = BTreeMap::new();
        for (index, part) in parts.iter().enumerate().filter(|(_, part)| self.may_be_row(part)) {
            shapes.entry(self.shape(part)).or_default().push(index);
        }
        let mut tables: BTreeMap<usize, Part> = BTreeMap::new();
        let mut gone: BTreeSet<usize> = BTreeSet::new();
        for group in shapes.into_values().flat_map(|alike| groups(&parts, &alike)) {
            let members: Vec<&Part> = group.iter().map(|&index| &parts[index]).collect();
            if let (Some(table), Some(&first)) = (self.table(&members), group.iter().min()) {
                tables.insert(first, table);
                gone.extend(group);
            }
        }
        let mut taken: BTreeSet<String> = BTreeSet::new();
        for table in tables.values_mut() {
            table.given = table.given.take().filter(|name| taken.insert(name.clone()));
        }
        let mut of_single = |mut part: Part| {
            // What is left of a table keeps its name.
            part.given =
                part.given.map(|name| row_of(&name).map_or(name.clone(), |(method, _)| method.to_owned()));
            part.given = part.given.filter(|name| taken.insert(name.clone()));
            part
        };
        let merged = parts.into_iter().enumerate().filter_map(|(index, part)| match tables.remove(&index) {
            Some(table) => Some(table),
            None => (!gone.contains(&index)).then(|| of_single(part)),
        });
        merged.collect()
    }

    fn literals(&self) -> Literals<'_> {
        Literals { hierarchy: self.hierarchy }
    }

    fn may_be_row(&self, part: &Part) -> bool {
        let is_named = part.given.as_ref().is_some_and(|name| row_of(name).is_none());
        let is_apart = part.tests.iter().any(|row| self.apart.contains(&row.test));
        !is_named
            && !is_apart
            && part.method.expected.is_none()
            && part.method.body.len() <= MOST_LINES
            && self
                .literals()
                .sites(&part.method.body)
                .iter()
                .all(|site| flat(&site.literal).len() <= LONGEST_LITERAL)
    }

    fn shape(&self, part: &Part) -> Shape {
        let tests = part.tests.iter().map(|row| &self.suite[row.test]);
        let Method { suppressed, throws, body, .. } = &part.method;
        Shape {
            statements: tests.flat_map(outline).collect(),
            body: format!("{suppressed:?} {throws:?} {:?}", self.literals().outline(body)),
        }
    }

    /// The parameterized test of tests of one shape, unless it would not read well or say something else.
    fn table(&self, members: &[&Part]) -> Option<Part> {
        let first = members.first()?;
        let sites: Vec<Vec<Site>> =
            members.iter().map(|member| self.literals().sites(&member.method.body)).collect();
        let columns = self.columns(members, &sites)?;
        let (body, left) = self.body(&first.method.body, &columns);
        let table = Table {
            rows: rows(&columns)?,
            parameters: columns.into_iter().map(|column| (column.of, column.name)).collect(),
        };
        let Method { suppressed, throws, .. } = &first.method;
        let method = Method {
            name: String::new(),
            display_name: None,
            nested: None,
            table: Some(table),
            suppressed: suppressed.clone(),
            expected: None,
            throws: throws.clone(),
            body,
        };
        let row = |row: &Row| Row {
            assertions: left.iter().map(|&line| row.assertions[line]).collect(),
            ..row.clone()
        };
        let names = members.iter().filter_map(|member| member.given.as_deref());
        Some(Part {
            method,
            words: TestWords::common(&members.iter().map(|member| &member.words).collect::<Vec<_>>()),
            given: names.filter_map(row_of).map(|(method, _)| method.to_owned()).next(),
            tests: members.iter().flat_map(|member| &member.tests).map(row).collect(),
        })
    }

    /// The columns in which rows differ: inputs in their order, then what is expected.
    fn columns(&self, members: &[&Part], sites: &[Vec<Site>]) -> Option<Vec<Column>> {
        let first = sites.first()?;
        let of_row = |row: &Vec<Site>, site: usize| row[site].literal.clone();
        let mut columns: Vec<Column> = Vec::new();
        for (number, site) in first.iter().enumerate() {
            let values: Vec<Expr> = sites.iter().map(|row| of_row(row, number)).collect();
            if values.iter().all(|value| *value == site.literal) {
                continue;
            }
            let common = Kind::common_type(sites.iter().map(|row| &row[number].kind))?;
            let of = site.declares.as_ref().map_or(common, |(declared, _)| declared.clone());
            let known = columns.iter_mut().find(|known| {
                let is_declared = first[known.sites[0]].declares.is_some() && site.declares.is_some();
                !is_declared && known.of == of && known.values == values
            });
            match known {
                Some(known) => known.sites.push(number),
                None => columns.push(Column { name: String::new(), of, values, sites: vec![number] }),
            }
        }
        if columns.is_empty() || columns.len() > MOST_COLUMNS {
            return None;
        }
        self.name(members, first, &mut columns)?;
        Some(columns)
    }

    /// Orders and names columns: inputs by the parameters that they are passed for.
    fn name(&self, members: &[&Part], sites: &[Site], columns: &mut Vec<Column>) -> Option<()> {
        let input = |column: &Column| self.input(members, column);
        let mut inputs: Vec<Option<VarRef>> = columns.iter().map(input).collect();
        let mut order: Vec<usize> = (0..columns.len()).collect();
        let is_output = |index: &usize| inputs[*index].is_none();
        order.sort_by_key(|index| (is_output(index), inputs[*index]));
        let mut sorted: Vec<Option<Column>> = columns.drain(..).map(Some).collect();
        columns.extend(order.iter().filter_map(|&index| sorted[index].take()));
        inputs = order.iter().map(|&index| inputs[index]).collect();
        let outputs = inputs.iter().filter(|input| input.is_none()).count();
        let mut reserved = self.reserved.clone();
        reserved.remove(EXPECTED); // in Jupiter no `catch` of ours has it
        let mut scope = Scope::new(&reserved);
        let declares = |column: &Column| {
            column.sites.iter().find_map(|&site| sites[site].declares.as_ref().map(|(_, name)| name.clone()))
        };
        let own: Vec<Option<String>> = columns.iter().map(declares).collect();
        let kept = names_in(&members.first()?.method.body);
        kept.iter().filter(|&name| !own.contains(&Some(name.clone()))).for_each(|name| scope.reserve(name));
        own.iter().flatten().for_each(|name| scope.reserve(name));
        let mut lines: BTreeSet<usize> = BTreeSet::new();
        for ((column, input), own) in columns.iter_mut().zip(inputs).zip(own) {
            let site = &sites[column.sites[0]];
            column.name =
                match (own, input) {
                    (Some(name), _) => name,
                    (None, Some(input)) => {
                        let test_of = |member: &&Part| &self.suite[member.tests[0].test].test;
                        let role = members
                            .iter()
                            .find_map(|member| role(self.cluster, self.hierarchy, test_of(member), input));
                        scope.give(&role.unwrap_or_else(|| "value".to_owned()))
                    }
                    (None, None) => {
                        // Several unknown values of one assertion are elements, which have no names.
                        if !site.is_expected || !lines.insert(site.line) {
                            return None;
                        }
                        let member = site.member.as_ref().filter(|_| outputs > 1);
                        scope.give(&member.map_or(EXPECTED.to_owned(), |member| {
                            format!("{EXPECTED}{}", capitalized(member))
                        }))
                    }
                };
        }
        Some(())
    }

    /// The statement that gives the values of a column in each row, if an input does.
    fn input(&self, members: &[&Part], column: &Column) -> Option<VarRef> {
        let tests: Vec<&AssertedTest> =
            members.iter().map(|member| &self.suite[member.tests[0].test]).collect();
        let length = tests.iter().map(|test| test.test.len()).min()?;
        (0..length).map(VarRef::from).find(|&variable| {
            let gives = |(test, value): (&&AssertedTest, &Expr)| {
                self.written(test.test.statement(variable)).contains(&flat(value))
            };
            tests.iter().zip(&column.values).all(gives)
        })
    }

    /// How the value of a statement may be written.
    fn written(&self, statement: &Statement) -> Vec<String> {
        match statement {
            Statement::Primitive { value, .. } => [Context::Argument, Context::Assignment]
                .map(|context| flat(&literal(value, context)))
                .to_vec(),
            Statement::Null { .. } => vec![flat(&Expr::null())],
            Statement::EnumConstant { field } => {
                let field = self.cluster.field(*field);
                vec![flat(&Expr::Constant { class: field.declared_in.clone(), name: field.name.to_string() })]
            }
            Statement::ClassLiteral { class, .. } => {
                vec![flat(&Expr::ClassLiteral(GenericType::from(&self.cluster.ty(*class).erased)))]
            }
            Statement::Constructor { .. }
            | Statement::Method { .. }
            | Statement::FieldRead { .. }
            | Statement::FieldWrite { .. }
            | Statement::Array { .. }
            | Statement::ArrayWrite { .. }
            | Statement::Stub { .. } => Vec::new(),
        }
    }

    /// A body with parameters in place of the literals of columns, and which of its lines are left: a parameter takes the place
    /// of a variable that is nothing else.
    fn body(&self, body: &[Line], columns: &[Column]) -> (Vec<Line>, Vec<usize>) {
        let mut body = body.to_vec();
        let (mut number, mut declared) = (0, BTreeSet::new());
        self.literals().for_each(&mut body, &mut |site, literal| {
            if let Some(column) = columns.iter().find(|column| column.sites.contains(&number)) {
                *literal = Expr::Variable(column.name.clone());
                if site.declares.is_some_and(|(_, name)| name == column.name) {
                    declared.insert(site.line);
                }
            }
            number += 1;
        });
        let mut left: Vec<usize> = (0..body.len()).filter(|line| !declared.contains(line)).collect();
        while left.first().is_some_and(|&line| body[line].statement == Stmt::Blank) {
            left.remove(0);
        }
        (left.iter().map(|&line| body[line].clone()).collect(), left)
    }
}

/// Which of the tests of one shape become a table together: those that a file has as rows of one method, in their order, and
/// new ones behind the first of these; new ones by themselves where there are enough.
fn groups(parts: &[Part], alike: &[usize]) -> Vec<Vec<usize>> {
    let mut known: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
    let mut new: Vec<usize> = Vec::new();
    for &index in alike {
        match parts[index].given.as_deref().and_then(row_of) {
            Some((method, row)) => known.entry(method).or_default().push((row, index)),
            None => new.push(index),
        }
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for mut rows in known.into_values() {
        rows.sort_unstable();
        let mut group: Vec<usize> = rows.into_iter().map(|(_, index)| index).collect();
        let room = MOST_ROWS.saturating_sub(group.len()).min(new.len());
        group.extend(new.drain(..room));
        if group.len() > 1 {
            groups.push(group);
        }
    }
    if new.len() >= LEAST_ROWS {
        let tables = new.len().div_ceil(MOST_ROWS);
        groups.extend(new.chunks(new.len().div_ceil(tables)).map(<[usize]>::to_vec));
    }
    groups
}

/// What a test does and asserts, without the values of literals.
fn outline(test: &AssertedTest) -> Vec<String> {
    let statement = |statement: &Statement| match statement {
        Statement::Primitive { value, boxed } => match value.primitive_type() {
            Some(of) => format!("{} {boxed}", of.keyword()),
            None if *boxed => "new text".to_owned(),
            None => "reference".to_owned(),
        },
        Statement::Null { .. } | Statement::EnumConstant { .. } => "reference".to_owned(),
        Statement::ClassLiteral { .. } => "class".to_owned(),
        Statement::Constructor { .. }
        | Statement::Method { .. }
        | Statement::FieldRead { .. }
        | Statement::FieldWrite { .. }
        | Statement::Array { .. }
        | Statement::ArrayWrite { .. }
        | Statement::Stub { .. } => format!("{statement:?}"),
    };
    let assertions =
        test.assertions.iter().map(|assertion| format!("{:?} {:?}", assertion.after, assertion.target));
    test.test.statements().iter().map(statement).chain(assertions).collect()
}

/// Names that the lines of a body declare.
fn names_in(body: &[Line]) -> Vec<String> {
    let mut names = Vec::new();
    for line in body {
        line.statement.for_each_name(&mut |name| names.push(name.to_owned()));
    }
    names
}

/// The rows of columns in the form that carries them and reads best; `None` where one is too wide.
fn rows(columns: &[Column]) -> Option<Rows> {
    let types: Vec<GenericType> = columns.iter().map(|column| column.of.clone()).collect();
    let number = columns.first()?.values.len();
    let rows: Vec<Vec<Expr>> =
        (0..number).map(|row| columns.iter().map(|column| column.values[row].clone()).collect()).collect();
    let width = |row: &Vec<Expr>| row.iter().map(|value| flat(value).len() + 2).sum::<usize>();
    if rows.iter().any(|row| width(row) > WIDEST_ROW) {
        return None;
    }
    if let [column] = columns
        && let Some(attribute) = attribute(&column.of)
        && !column.values.contains(&Expr::null())
    {
        return Some(Rows::Values { attribute, values: column.values.clone() });
    }
    if let Some((records, has_null)) = csv::records(&rows) {
        return Some(Rows::Csv { records, has_null });
    }
    let argument = |(value, of): (Expr, &GenericType)| match (&value, of) {
        // An object of the narrow type is asked for, and a lone `null` would be no row at all.
        (Expr::Literal(_), GenericType::Primitive(PrimitiveType::Byte | PrimitiveType::Short)) => {
            value.cast(of.clone())
        }
        _ if value == Expr::null() && types.len() == 1 => value.cast(of.clone()),
        _ => value,
    };
    let row = |row: Vec<Expr>| row.into_iter().zip(&types).map(argument).collect();
    Some(Rows::Method(rows.into_iter().map(row).collect()))
}

/// The attribute of `@ValueSource` for a type.
fn attribute(of: &GenericType) -> Option<&'static str> {
    Some(match of {
        GenericType::Primitive(of) => match of {
            PrimitiveType::Boolean => "booleans",
            PrimitiveType::Byte => "bytes",
            PrimitiveType::Short => "shorts",
            PrimitiveType::Char => "chars",
            PrimitiveType::Int => "ints",
            PrimitiveType::Long => "longs",
            PrimitiveType::Float => "floats",
            PrimitiveType::Double => "doubles",
        },
        GenericType::Class(class) if class.name == ClassName::string() => "strings",
        GenericType::Class(class) if class.name.as_str() == "java/lang/Class" => "classes",
        GenericType::Class(_) | GenericType::Array(_) | GenericType::Variable(_) => return None,
    })
}
