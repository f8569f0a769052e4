import { type Static, Type } from '../../../contract/schema-type.ts'
import { optional, Path, Strict, Text } from './shapes.ts'
import { AliasesAndScopes, Slug } from './tool.ts'
import { Poll } from './trigger-poll.ts'
import { TriggerWebhook } from './trigger-webhook.ts'

/** One trigger type: its texts and schemas, and how its events are received. */
export const Trigger = Strict(
  {
    slug: Text('`<TOOLKIT>_<EVENT>`, at most 64 characters. Never changes.', Slug),
    name: Text('Short name in words.', { maxLength: 80 }),
    description: Text('When it fires and what the payload contains, in one or two sentences.', {
      minLength: 20,
      maxLength: 1024,
    }),
    instructions: optional(
      Text('Steps at the application before the trigger works, if any.', { maxLength: 4_096 }),
    ),
    docs_url: optional(Text('Page of the vendor about this event or list.')),
    deprecated: optional(Type.Boolean({ description: 'Left out of lists. The trigger still works.' })),
    ...AliasesAndScopes,
    config: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'JSON Schema (2020-12 subset) of the configuration, of type object. Every property has a ' +
          'description. A polling trigger gets the property `interval` automatically.',
      },
    ),
    payload: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'JSON Schema of the payload of an event, of type object. Payloads are not validated.',
      },
    ),
    poll: optional(Poll),
    webhook: optional(TriggerWebhook),
    event: optional(
      Type.Record(Type.String(), Path('Path of the value.'), {
        description:
          'Properties of the payload to the paths of their values: below `config`, and `item` and ' +
          '`detail` of a poll, or `item`, `body` and `headers` of a webhook. Default: the unchanged ' +
          'detail, else the item.',
      }),
    ),
  },
  { description: 'A trigger type has a `poll` or a `webhook`; both where the webhook is a `ping`.' },
)

export const Triggers = Strict({
  $schema: optional(Type.String({ description: 'For editors. The server ignores it.' })),
  webhook: optional(TriggerWebhook),
  triggers: Type.Array(Trigger, { minItems: 1 }),
})

export type TriggerManifest = Static<typeof Trigger>
