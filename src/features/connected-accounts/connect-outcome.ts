import type { AccountDeps } from './deps.ts'
import type { Outcome } from './outcome.ts'
import { connectPage, type ConnectPage } from './pages/connect-page.ts'
import { originsOf } from './pages/layout.ts'
import { scopesInWords, toolsInWords } from './pages/scope-words.ts'
import type { AccountRow } from './store.ts'

type Part = Pick<ConnectPage, 'leadsOn' | 'action'> &
  Partial<Pick<ConnectPage, 'fields' | 'errors' | 'formError' | 'hintUrl'>> & {
    again: boolean
    scopes: readonly string[]
  }

/** The page on which an account is connected, for the first time or again, with the project's name and picture. With errors it answers 400. */
export async function connectOutcome(
  deps: AccountDeps,
  projectId: string,
  row: AccountRow,
  { again, scopes, fields = [], errors = {}, hintUrl, ...rest }: Part,
): Promise<Outcome> {
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  const { displayName, logoUrl } = await deps.branding(projectId)
  const html = connectPage({
    ...rest,
    fields,
    errors,
    hintUrl,
    again: again ? (row.status === 'ACTIVE' ? 'works' : 'stopped') : undefined,
    toolkit: { slug: row.toolkit_slug, name: toolkit?.name ?? row.toolkit_slug },
    projectName: displayName,
    projectLogo: logoUrl,
    publicUrl: deps.publicUrl,
    allowed: !toolkit
      ? []
      : scopes.length
        ? scopesInWords(toolkit, scopes)
        : toolsInWords(toolkit, row.tools_available_for_execution),
  })
  return {
    kind: 'html',
    status: Object.keys(errors).length || rest.formError !== undefined ? 400 : 200,
    html,
    imageOrigins: originsOf(deps.publicUrl, logoUrl),
  }
}
