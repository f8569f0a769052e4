import { type Static, Type } from '../../../contract/schema-type.ts'
import { optional, Strict, Text } from './shapes.ts'

/** Places that a step may name. The server fills them in for the auth config or the installation. */
export const SETUP_PLACES = ['redirect_uri', 'scopes'] as const

/** How an administrator creates the OAuth app or the key of a scheme at the vendor. */
export const SetupGuide = Strict(
  {
    console_url: optional(
      Text('Page of the vendor where the OAuth app or the key is created.', { pattern: '^https://' }),
    ),
    steps: Type.Array(
      Text(
        'One step, in the imperative, with the labels that the page of the vendor shows. `{redirect_uri}` and ' +
          '`{scopes}` are replaced.',
        { maxLength: 300 },
      ),
      { minItems: 1, maxItems: 10, description: 'The steps in their order.' },
    ),
    source: optional(Text('Page of the vendor that the steps were written from.', { pattern: '^https://' })),
    checked: optional(
      Text('Day when the steps were last compared with the source, YYYY-MM-DD.', {
        pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      }),
    ),
  },
  {
    description: 'How to create the OAuth app or the key of this scheme at the vendor. Shown to developers.',
  },
)

export type SetupGuideManifest = Static<typeof SetupGuide>
