import type { Proposal, ToolDefinition } from '../contract/wire.js';

const MAX_TITLE = 256;

/** What the approver is shown of the tool: for an upstream's, the definition the operator accepted. */
export function shownOf(tool: ToolDefinition): Proposal['tool'] {
  const { title, description, digest, upstream, input_schema, annotations } = tool;
  return {
    ...(title === undefined ? {} : { title: title.slice(0, MAX_TITLE) }),
    ...(description === undefined ? {} : { description }),
    ...(digest === undefined || upstream === undefined ? {} : { digest, input_schema }),
    ...(annotations === undefined || upstream === undefined ? {} : { annotations }),
  };
}
