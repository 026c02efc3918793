import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** Functions of this repository whose string argument becomes the `detail` of a refusal, which no program reads. */
const DETAIL_OF = new Set(['failed', 'malformed', 'mismatch', 'notAKey', 'unauthenticated']);
/** Members that hold a sentence for people. */
const SENTENCE = new Set(['sentence', 'detail', 'error', 'description', 'title', 'message']);
/** Calls whose string argument is a sentence for the operator. */
const TOLD = new Set([
  'describe',
  'addIssue',
  'refine',
  'regex',
  'custom',
  'log',
  'reportError',
  'warn',
]);

/**
 * Leaves out sentences: tests assert codes, paths and effects, never wording, so a changed sentence is meant to pass.
 */
class Prose {
  shouldIgnore(path) {
    if (path.isObjectExpression()) return isSentenceAlone(path.node) ? 'a sentence' : undefined;
    if (!path.isStringLiteral() && !path.isTemplateLiteral()) return undefined;
    let at = path;
    // The sentence itself, or a piece of it: `a + b`, `x ? a : b`, `a ?? b`.
    while (
      at.parentPath?.isConditionalExpression() ||
      at.parentPath?.isLogicalExpression() ||
      at.parentPath?.isBinaryExpression({ operator: '+' }) ||
      at.parentPath?.isTemplateLiteral()
    ) {
      if (at.parentPath.isConditionalExpression() && at.key === 'test') return undefined;
      at = at.parentPath;
    }
    const { parentPath: parent } = at;
    if (parent?.isObjectProperty() && at.key === 'value' && SENTENCE.has(parent.node.key.name))
      return 'a sentence';
    if (
      parent?.isNewExpression() &&
      at.listKey === 'arguments' &&
      /Error$/.test(parent.node.callee.name ?? '')
    )
      return 'an error message';
    if (parent?.isCallExpression() && at.listKey === 'arguments') {
      const { callee } = parent.node;
      if (DETAIL_OF.has(callee.name)) return 'a detail for the record';
      // What a tool of the task tracker tells of its failure, behind its code.
      if (callee.name === 'failure' && at.key === 1) return 'a sentence';
      if (TOLD.has(callee.property?.name ?? callee.name)) return 'a sentence';
    }
    return undefined;
  }
}

/** `{ detail: … }`, the second argument of a refusal that says nothing else; `{ error: … }` of a schema. */
function isSentenceAlone({ properties }) {
  if (properties.length !== 1) return false;
  const [{ key, value }] = properties;
  const isText = ['StringLiteral', 'TemplateLiteral', 'CallExpression'].includes(value?.type);
  return key?.name === 'detail' || (isText && key?.name === 'error');
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Ignore, 'prose', Prose)];
