import type { Alternative, ApiModel, Operation, SecurityScheme } from '../model.ts'

export const WHOLE_AUTHORIZATION =
  'Whole value of the Authorization header, its first word included, e.g. `Bearer <token>`.'

/** Documents without any scheme whose operations take an Authorization header mean one all the same. */
export function declaredOrImplied(model: ApiModel): ReadonlyMap<string, SecurityScheme> {
  if (model.schemes.size > 0) return model.schemes
  const asks = model.operations.some(({ parameters }) =>
    parameters.some((one) => one.in === 'header' && one.name.toLowerCase() === 'authorization'),
  )
  return asks
    ? new Map([
        [
          'authorization',
          {
            kind: 'key',
            in: 'header',
            name: 'Authorization',
            aws: false,
            description: WHOLE_AUTHORIZATION,
          },
        ],
      ])
    : model.schemes
}

/**
 * The alternatives of an operation. Where a document declares schemes and never says which operation needs
 * them, all of them may.
 */
export function alternativesFor(
  model: ApiModel,
  schemes: ReadonlyMap<string, SecurityScheme>,
  notes: string[],
) {
  const silent =
    schemes.size > 0 &&
    model.operations.every(
      ({ security }) => security === undefined || security.every((one) => one.size === 0),
    )
  if (silent)
    notes.push(
      'The document declares how to sign in, but not for which operations; every tool takes a connection.',
    )
  const implied: Alternative[] = silent ? [...schemes.keys()].map((name) => new Map([[name, []]])) : []
  return ({ security }: Operation): readonly Alternative[] =>
    silent ? implied : (security ?? []).map((one) => new Map([...one].filter(([name]) => schemes.has(name))))
}

/** The scopes with which every tool can be called: of alternatives, the first. */
export function needed(
  operations: readonly Operation[],
  alternativesOf: (operation: Operation) => readonly Alternative[],
  schemes: ReadonlyMap<string, SecurityScheme>,
): string[] {
  const found = new Set<string>()
  for (const operation of operations) {
    const sets = alternativesOf(operation)
      .filter((one) => [...one.keys()].some((name) => schemes.get(name)?.kind === 'oauth2'))
      .map((one) => oauthScopes(one, schemes))
    if (sets.length === 0 || sets.some((set) => set.every((scope) => found.has(scope)))) continue
    for (const scope of sets[0]!) found.add(scope)
  }
  return [...found].sort()
}

export const oauthScopes = (alternative: Alternative, schemes: ReadonlyMap<string, SecurityScheme>) => [
  ...new Set(
    [...alternative].flatMap(([name, scopes]) =>
      schemes.get(name)?.kind === 'oauth2' ? scopes.filter((scope) => scope.trim() !== '') : [],
    ),
  ),
]
