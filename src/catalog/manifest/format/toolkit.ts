import { type Static, Type } from 'typebox'
import { Identity } from './probe-request.ts'
import { AuthScheme } from './auth.ts'
import { RateLimit, ToolkitIdempotency } from './limits.ts'
import { conditionThat, OneOfText, optional, Path, Strict, TemplateText, Text, TextMap } from './shapes.ts'

/** What an error of the provider means for us, whatever status it was sent with. */
export const ErrorMeaning = OneOfText(
  ['reauth', 'rate_limit', 'permission', 'not_found', 'invalid', 'transient'],
  {
    description:
      'reauth: the credentials are refused; rate_limit: wait; transient: may work later; others explain themselves.',
  },
)

/** An application: who it is, where it answers, how one signs in, what its errors mean. */
export const Toolkit = Strict({
  $schema: optional(Type.String({ description: 'For editors; ignored.' })),
  slug: Text('Lower case, stable for ever.', { pattern: '^[a-z0-9_]+$', maxLength: 40 }),
  name: Text('As the vendor spells it.'),
  description: Text('What an agent can do with it, in one or two sentences.', { minLength: 20 }),
  app_url: optional(Text("The vendor's address.")),
  docs_url: optional(Text("The vendor's API reference.")),
  categories: Type.Array(
    Text('Lower case with hyphens, e.g. `developer-tools`.', { pattern: '^[a-z0-9&-]+$' }),
    { minItems: 1 },
  ),
  created: Text('Date of the first release, YYYY-MM-DD.', { pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  releases: Type.Array(
    Strict({
      version: Text('YYYYMMDD_NN.', { pattern: '^\\d{8}_\\d{2}$' }),
      changes: Text('What changed for the user, in a sentence.'),
    }),
    { minItems: 1, description: 'Newest first. The oldest is also served as 00000000_00.' },
  ),
  local: optional(Type.Boolean({ description: 'Runs inside the server and reaches no network.' })),
  deprecated: optional(Type.Boolean({ description: 'Left out of lists unless asked for; works on.' })),
  base_url: optional(
    TemplateText(
      'Address of the API; may hold connection fields, e.g. `https://{subdomain}.zendesk.com/api/v2`. A field that holds a whole address is written `{base_url}`.',
    ),
  ),
  auth: Type.Array(AuthScheme, { minItems: 1, description: 'Ways to sign in, each scheme at most once.' }),
  request: optional(
    Strict(
      {
        headers: optional(TextMap('Sent with every request.')),
        timeout_seconds: optional(
          Type.Integer({ minimum: 1, maximum: 300, description: 'How long a reply may take.' }),
        ),
      },
      { description: 'What all requests have in common.' },
    ),
  ),
  identity: optional(Identity),
  success_when: optional(
    conditionThat(
      'A reply is a success only when this holds; for providers that tell errors with status 200.',
    ),
  ),
  error_message: optional(
    Type.Array(Path('Where the text of an error stands in the body.'), {
      description: 'First that is found is used.',
    }),
  ),
  errors: optional(
    Type.Array(Strict({ when: conditionThat('Which replies are meant.'), meaning: ErrorMeaning }), {
      description: 'First that holds decides; without one the HTTP status does.',
    }),
  ),
  rate_limit: optional(RateLimit),
  idempotency: optional(ToolkitIdempotency),
})

export type ToolkitManifest = Static<typeof Toolkit>
export type ErrorMeaning = Static<typeof ErrorMeaning>
