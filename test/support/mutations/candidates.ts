import ts from 'typescript';

/** What a mutation does to a text of TypeScript. */
export type MutationKind = 'comparison' | 'condition' | 'logic' | 'sum' | 'returned' | 'text' | 'control' | 'broken';

/** One change of one file: its text from `start` to `end` becomes `after`. */
export interface Mutation {
  /** From the root. */
  readonly file: string;
  readonly kind: MutationKind;
  readonly start: number;
  readonly end: number;
  /** Of `start`, from 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/**
 * The nearest wrong operator: one that is off by one, or the opposite where there is no such thing.
 */
const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};
const LOGIC: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' };
const SUMS: Readonly<Record<string, string>> = { '+': '-', '-': '+', '+=': '-=', '-=': '+=' };

interface Change {
  readonly kind: MutationKind;
  readonly node: ts.Node;
  readonly after: string;
}

/** Every place of a file where one of the mutations can be made, in the order of the text. */
export function candidatesIn(file: string, text: string): readonly Mutation[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutation[] = [];
  const visit = (node: ts.Node): void => {
    if (isDeclarative(node)) return;
    for (const { kind, node: place, after } of changesOf(node, source)) {
      const start = place.getStart(source);
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      found.push({ file, kind, start, end: place.end, line, before: place.getText(source), after });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The text with the mutation made. */
export const mutated = (text: string, { start, end, after }: Mutation): string =>
  text.slice(0, start) + after + text.slice(end);

/** What says nothing about what happens: types, and which module a name comes from. */
const isDeclarative = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node) ||
  (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined);

function changesOf(node: ts.Node, source: ts.SourceFile): readonly Change[] {
  if (ts.isBinaryExpression(node)) return operatorChange(node, source);
  if (ts.isIfStatement(node)) return [negated(node.expression, source)];
  if (ts.isConditionalExpression(node)) return [negated(node.condition, source)];
  if (ts.isReturnStatement(node)) return returnedChange(node.expression);
  if (ts.isArrowFunction(node)) return returnedChange(node.body);
  if (ts.isStringLiteral(node) && decides(node)) return [{ kind: 'text', node, after: "''" }];
  return [];
}

function operatorChange(node: ts.BinaryExpression, source: ts.SourceFile): readonly Change[] {
  const operator = node.operatorToken.getText(source);
  const change = (kind: MutationKind, other: string): Change => {
    const text = node.getText(source);
    const at = node.operatorToken.getStart(source) - node.getStart(source);
    return { kind, node, after: text.slice(0, at) + other + text.slice(at + operator.length) };
  };
  const [comparison, logic, sum] = [COMPARISONS[operator], LOGIC[operator], SUMS[operator]];
  if (comparison !== undefined) return [change('comparison', comparison)];
  if (logic !== undefined) return [change('logic', logic)];
  // Texts that are put together are not a sum.
  return sum !== undefined && !isText(node.left) && !isText(node.right) ? [change('sum', sum)] : [];
}

const isText = (node: ts.Expression): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && (isText(node.left) || isText(node.right)));

const negated = (node: ts.Expression, source: ts.SourceFile): Change => ({
  kind: 'condition',
  node,
  after: `!(${node.getText(source)})`,
});

function returnedChange(node: ts.Node | undefined): readonly Change[] {
  if (node?.kind === ts.SyntaxKind.TrueKeyword) return [{ kind: 'returned', node, after: 'false' }];
  return node?.kind === ts.SyntaxKind.FalseKeyword ? [{ kind: 'returned', node, after: 'true' }] : [];
}

/**
 * Whether a text is more than words for people: those have spaces, or stand in what is thrown. The
 * name of a property is not a value, and what is compared is mutated as a comparison.
 */
function decides(node: ts.StringLiteral): boolean {
  const { parent, text } = node;
  if (text === '' || text.includes(' ')) return false;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return false;
  if (ts.isCaseClause(parent) || ts.isExpressionStatement(parent)) return false;
  if (ts.isBinaryExpression(parent) && COMPARISONS[parent.operatorToken.getText()] !== undefined) return false;
  return ts.findAncestor(node, (one) => ts.isThrowStatement(one) || ts.isNewExpression(one)) === undefined;
}
