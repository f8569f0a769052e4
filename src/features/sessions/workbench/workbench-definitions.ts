import { CONVERSATION_FIELD, type MetaToolDefinition } from '../meta-tools/definition.ts'

const TEXT_MAX = 1_000
const CODE_CHARACTERS_MAX = 500_000
const PROGRESS_FIELDS = {
  thought: { type: 'string', maxLength: TEXT_MAX, description: 'One sentence: why this code.' },
  current_step: { type: 'string', maxLength: 100, description: 'A short label, e.g. FETCHING_MAIL.' },
  current_step_metric: { type: 'string', maxLength: 100, description: 'Progress, e.g. 3/10 mails.' },
} as const

/** The meta tools that run code. */
export const WORKBENCH_DEFINITIONS = {
  workbench: {
    slug: 'SERVICE_REMOTE_WORKBENCH',
    name: 'Run Python',
    tags: ['destructiveHint', 'openWorldHint'],
    description:
      'Runs a cell of Python in the sandbox of this session. Variables and imports are available in later cells, ' +
      'until the sandbox was idle for some minutes. /mnt/files stays. Use it for large data: loops over many tool ' +
      'calls, filters, statistics, files. At most 180 seconds a cell: split longer work. Print samples, not whole ' +
      'results. Helpers return (result, error); check the error first: run_tool(slug, arguments), ' +
      'run_tools([(slug, arguments), …]) in parallel, proxy_execute(method, endpoint, toolkit, query_params, body, ' +
      'headers), invoke_llm(query), web_search(query), upload_local_file(path), read_result(path), ' +
      'smart_file_extract(path). There is no network and no pip; the standard library of Python is there.',
    input: {
      type: 'object',
      required: ['code_to_execute'],
      properties: {
        code_to_execute: {
          type: 'string',
          minLength: 1,
          maxLength: CODE_CHARACTERS_MAX,
          description: 'Python. The value of the last expression is returned.',
        },
        ...PROGRESS_FIELDS,
        ...CONVERSATION_FIELD,
      },
    },
  },
  bash: {
    slug: 'SERVICE_REMOTE_BASH_TOOL',
    name: 'Run bash',
    tags: ['destructiveHint', 'openWorldHint'],
    description:
      'Runs bash commands in the sandbox of this session, with the same files as the Python workbench: list, slice, ' +
      'convert and search files (grep, sed, awk, jq, sort, find, …). The working directory is /home/user. At most ' +
      '180 ' +
      "seconds. run_tool SLUG '{…}' runs a tool of the session and prints its result. There is no network.",
    input: {
      type: 'object',
      required: ['command'],
      properties: {
        command: {
          type: 'string',
          minLength: 1,
          maxLength: CODE_CHARACTERS_MAX,
          description: 'One or more commands.',
        },
        ...CONVERSATION_FIELD,
      },
    },
  },
} as const satisfies Record<string, MetaToolDefinition>
