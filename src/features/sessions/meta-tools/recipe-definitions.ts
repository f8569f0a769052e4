import { CONVERSATION_FIELD, type MetaToolDefinition } from './definition.ts'

/** The meta tools for recipes. */
export const RECIPE_DEFINITIONS = {
  upsertRecipe: {
    slug: 'SERVICE_UPSERT_RECIPE',
    name: 'Save a recipe',
    tags: ['updateHint'],
    description:
      'Saves a sequence of tool calls under a name, so that it can be found by search and run again as one ' +
      'tool, RECIPE_<slug>. recipe_code is Python or JSON text. Python has `inputs` (a dict), sets `output`, and ' +
      'has the helpers of the workbench; value = step("name", run_tool, "SLUG", {…}) keeps the result, so that a ' +
      'run that stops continues there. JSON: {"inputs": JSON Schema of the arguments, "steps": [{"id": "found", ' +
      '"tool": "SLACK_LIST_CHANNELS", "arguments": {"query": "{inputs.name}"}, "for_each": {"$": ' +
      '"inputs.names"}}], "output": {"channels": {"$": "found.channels"}}}. {"$": "path"} is a value of the inputs ' +
      'or of an earlier step, {path} is a value inside a text, item is the current item of for_each. Saving again ' +
      'creates a new version.',
    input: {
      type: 'object',
      required: ['recipe_slug', 'name', 'recipe_code'],
      properties: {
        recipe_slug: {
          type: 'string',
          minLength: 3,
          maxLength: 50,
          description: 'Capitals, digits and _, e.g. WEEKLY_DIGEST.',
        },
        name: { type: 'string', minLength: 1, maxLength: 100, description: 'Short name in words.' },
        recipe_code: {
          type: 'string',
          minLength: 2,
          maxLength: 100_000,
          description: 'Python, or JSON text with inputs, steps and output.',
        },
        input_schema: {
          type: 'object',
          description: 'JSON Schema of the inputs, for recipe_code in Python.',
        },
        description: {
          type: 'string',
          maxLength: 1024,
          description: 'What it does and when to use it. Search uses it.',
        },
        ...CONVERSATION_FIELD,
      },
    },
  },
  getRecipe: {
    slug: 'SERVICE_GET_RECIPE',
    name: 'Read a recipe',
    tags: ['readOnlyHint'],
    description: 'Returns a saved recipe with its code.',
    input: {
      type: 'object',
      required: ['recipe_slug'],
      properties: {
        recipe_slug: { type: 'string', minLength: 1, maxLength: 100, description: 'Its slug.' },
        ...CONVERSATION_FIELD,
      },
    },
  },
} as const satisfies Record<string, MetaToolDefinition>
