import { type Static, type TProperties, Type } from '../schema-type.ts'
import { Enum, Nullable } from '../common.ts'

const points = (description: string) => Type.Number({ description })

/** Every signal, with its description. */
const Signals = Type.Object(
  {
    words: points('Words of the request in the tool, rare ones count more. 1 for the tool with the most.'),
    name: points("Share of the tool's name that the request contains. At most 0.2."),
    verb: points('Agreement of the verb of the request and of the tool: −0.1 to 0.1.'),
    command: points(
      'The name begins with the verb of the request, and is about the thing that the request names: 0.1 each.',
    ),
    application: points(
      'Certainty that the request names the application: up to 0.5, or −0.2 if it names another.',
    ),
    meaning: points('Similarity of meaning, by word vectors. At most 0.6.'),
    similarity: points('Similarity by the embedding model, if there is one: −0.6 to 0.6.'),
    curated: points('0.25 for a tool that was written by hand, else 0.'),
    connected: points('Only in sessions: the user can use the application without another step.'),
    used: points('Only in sessions: the project called the tool successfully before.'),
    depth: points('0.03 less for each part of the path of the request. At least −0.18.'),
    unrated: points('−1 for a tool after the best 200 by words. Its other signals are not computed.'),
    repeated: points('0.2 less for each better tool that does the same in another edition of an API.'),
    needed: points('What a tool that the first one needs a value of gets, so that it is the fifth.'),
  } satisfies TProperties,
  { description: 'What the score consists of. The signals add up to `score`.' },
)

/** Why the tools of a search have their order. */
export const SearchExplanation = Type.Object(
  {
    language: Nullable(
      Type.String({ description: 'Language that the request was translated from, such as `de`; else null.' }),
    ),
    corrections: Type.Array(
      Type.Object({
        from: Type.String({ description: 'The word as it was sent.' }),
        to: Type.String({ description: 'The word that was searched for.' }),
      }),
      { description: 'Words that were taken for misspelt ones.' },
    ),
    applications: Type.Array(
      Type.Object({
        toolkit_slug: Type.String({ description: 'Slug of the toolkit.' }),
        certainty: Type.Number({ description: 'Above 0, at most 1. From 0.6 on it counts as named.' }),
      }),
      { description: 'Applications that the request seems to name, most certain first. At most 10.' },
    ),
    fit: Type.Object(
      {
        level: Enum(['good', 'weak', 'none'], {
          description: '`none`: in a session the search would offer no tool to call.',
        }),
        coverage: Type.Number({ description: 'Share of the request that the first tool contains, 0 to 1.' }),
        reason: Nullable(
          Enum(['not_installed', 'no_tools', 'no_such_action', 'unlike'], {
            description: 'Why the level is `none`; else null.',
          }),
        ),
      },
      { description: 'Whether the first tool is likely what was asked for.' },
    ),
    tools: Type.Array(
      Type.Object({
        slug: Type.String({ description: 'Slug of the tool.' }),
        rank: Type.Integer({ description: 'Position in the whole list, from 1.' }),
        score: Type.Number({ description: 'Compares tools of one response, not of two responses.' }),
        signals: Signals,
        words: Type.Array(
          Type.Object({
            word: Type.String({ description: 'Word of the request, in English and corrected.' }),
            matched: Type.String({
              description: 'Stem that the tool contains: of the word or of a synonym.',
            }),
            strength: Type.Number({ description: '0 to 1. High in the name or in a short description.' }),
          }),
          { description: 'Words of the request that the tool contains.' },
        ),
      }),
      { description: 'The tools of this page, in its order.' },
    ),
  },
  { description: 'Why the tools have this order. Only with `explain=true` and `query`.' },
)

export type SearchExplanation = Static<typeof SearchExplanation>
