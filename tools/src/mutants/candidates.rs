//! The operators: every change that can be made to a file.

use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Arm, BinOp, Block, Expr, ExprBinary, ExprIf, ExprLit, ExprMatch, ExprWhile, Lit, Pat,
    ReturnType, Signature, Stmt, Type,
};

use crate::modules::{SourceFile, is_left_out};
use crate::mutant::{Mutant, Piece};

/// Calls whose argument only says how much memory is taken.
const CAPACITY: [&str; 4] = ["with_capacity", "reserve", "reserve_exact", "shrink_to"];

/// Traits that print for a person who debugs.
const UNTESTED_TRAITS: [&str; 1] = ["Debug"];

/// All candidates of a file, in the order of their places.
pub(crate) fn candidates(package: &'static str, file: &SourceFile) -> Vec<Mutant> {
    let mut finder =
        Finder { package, file, owner: String::new(), function: None, found: Vec::new() };
    finder.visit_file(&file.syntax);
    let mut found = finder.found;
    found.sort_by_key(|mutant| (mutant.range.start, mutant.range.end));
    number_repeated(&mut found);
    found
}

/// Gives equal changes of one function numbers, so that each has a key of its own.
fn number_repeated(found: &mut [Mutant]) {
    let mut seen = std::collections::HashMap::<String, usize>::new();
    for mutant in found {
        let count = seen.entry(mutant.key()).or_default();
        *count += 1;
        if *count > 1 {
            mutant.change = format!("{} (no. {count})", mutant.change);
        }
    }
}

/// The function that is being read.
#[derive(Clone)]
struct Function {
    name: String,
    item: Range<usize>,
    const_keyword: Option<Range<usize>>,
}

struct Finder<'a> {
    package: &'static str,
    file: &'a SourceFile,
    /// The type whose methods are being read.
    owner: String,
    function: Option<Function>,
    found: Vec<Mutant>,
}

/// The bytes of a piece of syntax.
fn bytes(syntax: &impl Spanned) -> Range<usize> {
    syntax.span().byte_range()
}

impl Finder<'_> {
    fn text(&self, range: Range<usize>) -> String {
        let words: Vec<_> = self.file.text[range].split_whitespace().collect();
        let text = words.join(" ");
        let mut short: String = text.chars().take(70).collect();
        if short.len() < text.len() {
            short.push('…');
        }
        short
    }

    fn add(&mut self, range: Range<usize>, change: String, pieces: Vec<Piece>) {
        let Some(function) = self.function.clone() else { return };
        let line = 1 + self.file.text[..range.start].matches('\n').count();
        self.found.push(Mutant {
            package: self.package,
            file: self.file.path.clone(),
            module: self.file.module.clone(),
            function: function.name,
            line,
            change,
            range,
            pieces,
            item: function.item,
            const_keyword: function.const_keyword,
        });
    }

    /// A condition that is replaced by a constant where the mutant is active.
    fn force(&mut self, operand: &Expr, value: bool, what: &str) {
        if has_let(operand) {
            return;
        }
        let range = bytes(operand);
        let change = format!("{what} `{}` is {value}", self.text(range.clone()));
        let start = if value {
            [Piece::Text("("), Piece::Active, Piece::Text(" || (")]
        } else {
            [Piece::Text("("), Piece::Inactive, Piece::Text(" && (")]
        };
        let mut pieces = start.to_vec();
        pieces.extend([Piece::Code(range.clone()), Piece::Text("))")]);
        self.add(range, change, pieces);
    }

    fn negate(&mut self, condition: &Expr) {
        // To negate an equation is to swap its operator.
        let is_equation =
            matches!(condition, Expr::Binary(it) if matches!(it.op, BinOp::Eq(_) | BinOp::Ne(_)));
        if is_equation || has_let(condition) {
            return;
        }
        let range = bytes(condition);
        let change = format!("condition `{}` negated", self.text(range.clone()));
        let pieces = vec![
            Piece::Text("("),
            Piece::Active,
            Piece::Text(" != ("),
            Piece::Code(range.clone()),
            Piece::Text("))"),
        ];
        self.add(range, change, pieces);
    }

    /// One of two codes, by whether the mutant is active.
    fn choose(&mut self, range: Range<usize>, change: String, mutated: Vec<Piece>) {
        let mut pieces = vec![Piece::Text("(if "), Piece::Active, Piece::Text(" { ")];
        pieces.extend(mutated);
        pieces.extend([Piece::Text(" } else { "), Piece::Code(range.clone()), Piece::Text(" })")]);
        self.add(range, change, pieces);
    }

    fn swap(&mut self, node: &ExprBinary) {
        let (from, to) = match node.op {
            BinOp::Lt(_) => ("<", "<="),
            BinOp::Le(_) => ("<=", "<"),
            BinOp::Gt(_) => (">", ">="),
            BinOp::Ge(_) => (">=", ">"),
            BinOp::Eq(_) => ("==", "!="),
            BinOp::Ne(_) => ("!=", "=="),
            _ => return,
        };
        let range = bytes(node);
        let change = format!("`{}`: `{from}` becomes `{to}`", self.text(range.clone()));
        let mutated = vec![
            Piece::Code(bytes(&node.left)),
            Piece::Owned(format!(" {to} ")),
            Piece::Code(bytes(&node.right)),
        ];
        self.choose(range, change, mutated);
    }

    fn literal(&mut self, node: &ExprLit) {
        let range = bytes(node);
        match &node.lit {
            Lit::Int(int) => {
                let Ok(value) = int.base10_parse::<u128>() else { return };
                let mut others = vec![value + 1];
                others.extend(value.checked_sub(1));
                for other in others {
                    let change = format!("{} becomes {other}", self.text(range.clone()));
                    let code = Piece::Owned(format!("{other}{}", int.suffix()));
                    self.choose(range.clone(), change, vec![code]);
                }
            }
            Lit::Bool(bool) => {
                let change = format!("{} becomes {}", bool.value, !bool.value);
                let piece = if bool.value { Piece::Inactive } else { Piece::Active };
                self.add(range, change, vec![piece]);
            }
            _ => {}
        }
    }

    fn arms(&mut self, node: &ExprMatch) {
        for (at, arm) in node.arms.iter().enumerate() {
            if is_left_out(&arm.attrs) {
                continue;
            }
            if let Pat::Guard(guarded) = &arm.pat {
                self.force(&guarded.guard, true, "guard");
                self.force(&guarded.guard, false, "guard");
            } else if node.arms[at + 1..].iter().any(is_catch_all) {
                let pattern = bytes(&arm.pat);
                let change = format!("arm `{}` deleted", self.text(pattern.clone()));
                let pieces =
                    vec![Piece::Code(pattern.clone()), Piece::Text(" if "), Piece::Inactive];
                self.add(pattern, change, pieces);
            }
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        let Stmt::Expr(expression, Some(_)) = statement else { return };
        let is_deletable = match expression {
            Expr::MethodCall(call) => !CAPACITY.contains(&call.method.to_string().as_str()),
            Expr::Binary(_) | Expr::Assign(_) | Expr::Call(_) | Expr::Try(_) => true,
            Expr::Break(_) | Expr::Continue(_) | Expr::Return(_) => true,
            _ => false,
        };
        if !is_deletable {
            return;
        }
        let range = bytes(statement);
        let change = format!("`{}` deleted", self.text(range.clone()));
        let pieces = vec![
            Piece::Text("if "),
            Piece::Inactive,
            Piece::Text(" { "),
            Piece::Code(range.clone()),
            Piece::Text(" }"),
        ];
        self.add(range, change, pieces);
    }

    /// A body that returns a constant at once.
    fn body(&mut self, signature: &Signature, block: &Block) {
        if block.stmts.is_empty() {
            return;
        }
        let open = block.brace_token.span.open().byte_range();
        let close = block.brace_token.span.close().byte_range();
        let body = self.file.text[open.end..close.start].trim();
        for value in constants(&signature.output).into_iter().filter(|value| *value != body) {
            let change = if value.is_empty() {
                "body emptied".to_owned()
            } else {
                format!("body returns {value}")
            };
            let pieces = vec![
                Piece::Code(open.clone()),
                Piece::Text(" if "),
                Piece::Active,
                Piece::Owned(format!(" {{ return {value}; }}")),
            ];
            self.add(open.clone(), change, pieces);
        }
    }

    fn enter(&mut self, signature: &Signature, item: Range<usize>, block: &Block) {
        let name = if self.owner.is_empty() {
            signature.ident.to_string()
        } else {
            format!("{}::{}", self.owner, signature.ident)
        };
        let const_keyword = signature.constness.as_ref().map(bytes);
        let outer = self.function.replace(Function { name, item, const_keyword });
        self.body(signature, block);
        self.visit_block(block);
        self.function = outer;
    }
}

/// The values that a body of this type may return instead.
fn constants(output: &ReturnType) -> Vec<&'static str> {
    let ReturnType::Type(_, of) = output else { return vec![""] };
    match &**of {
        Type::Tuple(tuple) if tuple.elems.is_empty() => vec![""],
        Type::Reference(reference) => match &*reference.elem {
            Type::Path(path) if path.path.is_ident("str") => vec!["\"\""],
            _ => Vec::new(),
        },
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return Vec::new() };
            match last.ident.to_string().as_str() {
                "bool" => vec!["true", "false"],
                "usize" | "u8" | "u16" | "u32" | "u64" | "i32" | "i64" => vec!["0", "1"],
                "Option" => vec!["None"],
                "String" => vec!["String::new()"],
                "Vec" => vec!["Vec::new()"],
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

fn is_catch_all(arm: &Arm) -> bool {
    let is_open = match &arm.pat {
        Pat::Wild(_) => true,
        Pat::Ident(ident) => {
            ident.subpat.is_none() && ident.ident.to_string().starts_with(char::is_lowercase)
        }
        _ => false,
    };
    is_open && !is_left_out(&arm.attrs)
}

fn has_operator(operand: &Expr, operator: &BinOp) -> bool {
    let of = std::mem::discriminant(operator);
    matches!(operand, Expr::Binary(inner) if std::mem::discriminant(&inner.op) == of)
}

/// Whether a condition binds names, so that nothing may stand around it.
fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, node: &'ast syn::Item) {
        let attributes = match node {
            syn::Item::Mod(it) => &it.attrs,
            syn::Item::Fn(it) => &it.attrs,
            syn::Item::Impl(it) => &it.attrs,
            _ => &Vec::new(),
        };
        // What constants and types hold is fixed when the code is compiled.
        let is_fixed = matches!(
            node,
            syn::Item::Const(_) | syn::Item::Static(_) | syn::Item::Enum(_) | syn::Item::Struct(_)
        );
        if !is_fixed && !is_left_out(attributes) {
            visit::visit_item(self, node);
        }
    }

    fn visit_item_fn(&mut self, node: &'ast syn::ItemFn) {
        self.enter(&node.sig, bytes(node), &node.block);
    }

    fn visit_item_impl(&mut self, node: &'ast syn::ItemImpl) {
        let of_trait = node.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        let of_trait = of_trait.map(|segment| segment.ident.to_string());
        if of_trait.as_deref().is_some_and(|name| UNTESTED_TRAITS.contains(&name)) {
            return;
        }
        let own = match &*node.self_ty {
            Type::Path(path) => {
                path.path.segments.last().map_or_else(String::new, |it| it.ident.to_string())
            }
            other => self.text(bytes(other)),
        };
        let owner = match of_trait {
            Some(of_trait) => format!("{of_trait} for {own}"),
            None => own,
        };
        let outer = std::mem::replace(&mut self.owner, owner);
        visit::visit_item_impl(self, node);
        self.owner = outer;
    }

    fn visit_item_trait(&mut self, node: &'ast syn::ItemTrait) {
        let outer = std::mem::replace(&mut self.owner, node.ident.to_string());
        visit::visit_item_trait(self, node);
        self.owner = outer;
    }

    fn visit_impl_item_fn(&mut self, node: &'ast syn::ImplItemFn) {
        if !is_left_out(&node.attrs) {
            self.enter(&node.sig, bytes(node), &node.block);
        }
    }

    fn visit_trait_item_fn(&mut self, node: &'ast syn::TraitItemFn) {
        if let Some(block) = &node.default {
            self.enter(&node.sig, bytes(node), block);
        }
    }

    fn visit_stmt(&mut self, node: &'ast Stmt) {
        self.statement(node);
        visit::visit_stmt(self, node);
    }

    fn visit_expr_binary(&mut self, node: &'ast ExprBinary) {
        self.swap(node);
        if matches!(node.op, BinOp::And(_) | BinOp::Or(_)) {
            let operator = if matches!(node.op, BinOp::And(_)) { "&&" } else { "||" };
            let neutral = operator == "&&";
            let what = format!("operand of {operator}");
            for operand in [&node.left, &node.right] {
                // The operands of a longer chain are read with their own pairs.
                if !has_operator(operand, &node.op) {
                    self.force(operand, neutral, &what);
                }
            }
            self.force(&node.right, !neutral, &what);
        }
        visit::visit_expr_binary(self, node);
    }

    fn visit_expr_if(&mut self, node: &'ast ExprIf) {
        self.negate(&node.cond);
        visit::visit_expr_if(self, node);
    }

    fn visit_expr_while(&mut self, node: &'ast ExprWhile) {
        self.negate(&node.cond);
        visit::visit_expr_while(self, node);
    }

    fn visit_expr_match(&mut self, node: &'ast ExprMatch) {
        self.arms(node);
        visit::visit_expr_match(self, node);
    }

    fn visit_expr_lit(&mut self, node: &'ast ExprLit) {
        self.literal(node);
    }

    fn visit_expr_repeat(&mut self, node: &'ast syn::ExprRepeat) {
        // The length is fixed when the code is compiled.
        self.visit_expr(&node.expr);
    }

    fn visit_expr_call(&mut self, node: &'ast syn::ExprCall) {
        let is_capacity = matches!(&*node.func, Expr::Path(path)
            if path.path.segments.last().is_some_and(|it| CAPACITY.contains(&it.ident.to_string().as_str())));
        if !is_capacity {
            visit::visit_expr_call(self, node);
        }
    }

    fn visit_expr_method_call(&mut self, node: &'ast syn::ExprMethodCall) {
        if CAPACITY.contains(&node.method.to_string().as_str()) {
            self.visit_expr(&node.receiver);
        } else {
            visit::visit_expr_method_call(self, node);
        }
    }

    fn visit_pat(&mut self, node: &'ast Pat) {
        // Of a pattern, only its guard is code that runs.
        if let Pat::Guard(guarded) = node {
            self.visit_expr(&guarded.guard);
        }
    }

    fn visit_type(&mut self, _: &'ast Type) {}

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_generics(&mut self, _: &'ast syn::Generics) {}

    fn visit_path(&mut self, _: &'ast syn::Path) {}
}
