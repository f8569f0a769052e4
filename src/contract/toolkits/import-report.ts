import { type Static, Type } from '../schema-type.ts'
import { Enum, Nullable } from '../common.ts'

const Changes = {
  breaking: Type.Array(Type.String(), { description: 'Changes that can break callers.' }),
  other: Type.Array(Type.String(), { description: 'Other changes.' }),
}

/** Result of an import. Lists hold only their first entries; counts are complete. */
export const Report = Type.Object(
  {
    slug: Type.String({ description: 'Slug of the toolkit.' }),
    name: Type.String({ description: 'Name of the toolkit.' }),
    type: Enum(['openapi', 'graphql', 'postman', 'mcp', 'toolkit'], { description: 'Kind of the document.' }),
    version: Nullable(
      Type.String({ description: 'Version of the toolkit; null in a preview that would create a new one.' }),
    ),
    created: Type.Boolean({ description: 'False when the content is that of the newest version.' }),
    dry_run: Type.Boolean({ description: 'Whether this is a preview.' }),
    auth_schemes: Type.Array(Type.String(), { description: 'Authentication schemes of the toolkit.' }),
    counts: Type.Object(
      {
        operations: Type.Integer({ description: 'Operations in the document.' }),
        tools: Type.Integer({ description: 'Tools of the toolkit.' }),
        refused: Type.Integer({ description: 'Operations that cannot become tools.' }),
        quarantined: Type.Integer({
          description: 'Tools that were left out because no model would receive them.',
        }),
      },
      { description: 'Number of operations and tools.' },
    ),
    tools: Type.Array(Type.String(), { description: 'Slugs of the first 100 tools.' }),
    refused: Type.Array(
      Type.Object({
        cause: Type.String({ description: 'Cause.' }),
        count: Type.Integer({ description: 'Number of operations.' }),
        examples: Type.Array(
          Type.Object({
            operation: Type.String({ description: 'Method and path, or name, of the operation.' }),
            reason: Type.String({ description: 'Reason in plain text.' }),
          }),
          { description: 'The first operations.' },
        ),
      }),
      { description: 'Operations that cannot become tools, by cause.' },
    ),
    quarantined: Type.Array(
      Type.Object({
        tool: Type.String({ description: 'Slug of the tool.' }),
        reason: Type.String({ description: 'Reason in plain text.' }),
      }),
      { description: 'Tools that were left out because no model would receive them.' },
    ),
    notes: Type.Array(Type.String(), { description: 'Further remarks on the import.' }),
    difference: Nullable(
      Type.Object({
        counts: Type.Object(
          {
            added: Type.Integer({ description: 'New tools.' }),
            removed: Type.Integer({ description: 'Removed tools.' }),
            changed: Type.Integer({ description: 'Changed tools.' }),
            breaking: Type.Integer({ description: 'Tools with changes that can break callers.' }),
          },
          { description: 'Number of changes.' },
        ),
        added: Type.Array(Type.String(), { description: 'Slugs of the new tools.' }),
        removed: Type.Array(Type.String(), { description: 'Slugs of the removed tools.' }),
        changed: Type.Array(
          Type.Object({ slug: Type.String({ description: 'Slug of the tool.' }), ...Changes }),
          { description: 'Changed tools.' },
        ),
        toolkit: Type.Object(Changes, { description: 'Changes of the toolkit itself.' }),
      }),
      { description: 'Differences from the previous version; null for the first version.' },
    ),
  },
  { $id: 'ToolkitImportReport' },
)

export type ToolkitImportReport = Static<typeof Report>
