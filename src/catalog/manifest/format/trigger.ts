import { type Static, Type } from 'typebox'
import { optional, Path, Strict, Text } from './shapes.ts'
import { Scope } from './tool.ts'
import { Poll } from './trigger-poll.ts'
import { TriggerWebhook } from './trigger-webhook.ts'

const Slug = { pattern: '^[A-Z0-9_]+$', maxLength: 64 }

/** One trigger type: what a developer reads (slug, description, configuration, payload) and how its events are come by. */
export const Trigger = Strict(
  {
    slug: Text('`<TOOLKIT>_<EVENT>`, at most 64 characters, stable for ever.', Slug),
    name: Text('Short name in words.', { maxLength: 80 }),
    description: Text('When it fires and what it brings, in a sentence or two.', {
      minLength: 20,
      maxLength: 1024,
    }),
    instructions: optional(
      Text('What has to be done at the application before, if anything.', { maxLength: 4_096 }),
    ),
    docs_url: optional(Text("The vendor's page for this event or list.")),
    deprecated: optional(Type.Boolean({ description: 'Left out of lists; works on.' })),
    aliases: optional(
      Type.Array(Type.String(Slug), {
        maxItems: 20,
        description: 'Slugs that it had before. They work wherever its slug does, and are not listed.',
      }),
    ),
    scopes: optional(
      Strict(
        { all_of: Type.Array(Scope, { description: 'A scope, or alternatives of which one suffices.' }) },
        { description: 'OAuth scopes that the connection must have.' },
      ),
    ),
    config: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'JSON Schema (2020-12 subset) of the configuration; type object, every property with a description. `interval` comes to it by itself where the trigger polls.',
      },
    ),
    payload: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'JSON Schema of the payload of an event; advisory, type object.',
      },
    ),
    poll: optional(Poll),
    webhook: optional(TriggerWebhook),
    event: optional(
      Type.Record(Type.String(), Path('Where the value stands.'), {
        description:
          'Members of the payload, and where their values stand: below `config`, and `item` and `detail` of a poll, or `item`, `body` and `headers` of a webhook. Default: the detail, else the item, as it is.',
      }),
    ),
  },
  { description: 'A trigger type has a `poll` or a `webhook`; both where the webhook is a `ping`.' },
)

export const Triggers = Strict({
  $schema: optional(Type.String({ description: 'For editors; ignored.' })),
  webhook: optional(TriggerWebhook),
  triggers: Type.Array(Trigger, { minItems: 1 }),
})

export type TriggerManifest = Static<typeof Trigger>
