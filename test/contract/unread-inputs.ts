import { EXAMPLES, type Example } from './examples/index.ts'

/** Declared inputs that no code reads, with the reason. */
export const UNREAD_INPUTS: Readonly<Record<string, string>> = {
  'playground.chat body.messages[].tool_call_id': 'Messages are sent to the language model as they are.',
  'tools.execute body.allow_tracing':
    'Deprecated: clients of earlier releases send it, and it changes nothing.',
  'connectedAccounts.create body.connection.deprecated_is_v1_rerouted':
    'Deprecated: clients of earlier releases send it, and it changes nothing.',
}

/** Returns the example of an operation with a changed body. */
const withBody =
  (id: string, change: (body: Record<string, unknown>) => object): Example =>
  async (w) => {
    const example = await (EXAMPLES[id] as Example)(w)
    return { ...example, body: change((example.body ?? {}) as Record<string, unknown>) }
  }

/** Calls in addition to those of examples/, for inputs that are read in some calls only. */
export const MORE_CALLS: Readonly<Record<string, readonly Example[]>> = {
  'connectedAccounts.refresh': [
    async (w) => ({
      ...(await (EXAMPLES['connectedAccounts.refresh'] as Example)(w)),
      query: { redirect_url: 'https://app.example.com/done' },
      body: {},
    }),
  ],
  'mcp.createCustom': [
    withBody('mcp.createCustom', ({ allowed_tools: _tools, ...body }) => ({
      ...body,
      custom_tools: ['UTILITIES_CALCULATE'],
    })),
  ],
  'policies.check': [() => ({ body: { tool_slug: 'PROXY_EXECUTE', toolkit_slug: 'nodered' } })],
  'toolkits.import': [
    withBody('toolkits.import', (body) => ({
      ...body,
      auth: {
        type: 'oauth2',
        authorization_url: 'https://api.shop.example/authorize',
        token_url: 'https://api.shop.example/token',
        scopes: ['read'],
      },
    })),
  ],
  'tools.execute': [
    withBody('tools.execute', ({ user_id: _user, ...body }) => ({ ...body, entity_id: 'user-1' })),
  ],
  'triggers.active': [() => ({ query: {} })],
  'triggers.upsert': [
    withBody('triggers.upsert', ({ trigger_config: config, ...body }) => ({
      ...body,
      triggerConfig: config,
    })),
  ],
}
