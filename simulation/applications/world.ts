import type { Catalog } from '../../src/catalog/index.ts'
import { Application, type ApplicationOptions } from './application.ts'
import { readNotes } from './notes.ts'
import type { WireReply, WireRequest } from './wire.ts'

/** The simulated applications of a catalogue, by the slug of their toolkit. */
export interface World {
  readonly applications: ReadonlyMap<string, Application>
  /** The application that a request is meant for. */
  find(request: WireRequest): Application | undefined
  /** Its reply; undefined when no application has the address. */
  answer(request: WireRequest): WireReply | undefined
  reset(): void
}

/**
 * Simulates every toolkit of a catalogue. `folder` is where their notes stand,
 * `<folder>/<slug>/simulation.json`. Without a clock the same calls
 * have the same answers. @throws StartupError when one of them is wrong
 */
export function worldOf(
  catalog: Catalog,
  folder: string,
  clocks: Pick<ApplicationOptions, 'clock' | 'signingClock'> = {},
): World {
  const applications = new Map(
    catalog.toolkits.map((toolkit) => {
      const manifests = toolkit.tools.map(({ slug }) => catalog.tool(slug, 'latest')!.tool.manifest)
      const triggers = catalog.triggers(toolkit.slug, 'latest').map(({ trigger }) => trigger.manifest)
      return [
        toolkit.slug,
        new Application(toolkit, manifests, readNotes(folder, toolkit.slug), { ...clocks, triggers }),
      ]
    }),
  )
  const all = [...applications.values()]
  const find = (request: WireRequest) => {
    const there = all.filter((application) => application.isAt(request.url))
    return (
      ofUser(applications, request) ??
      there.find((application) => application.knows(request)) ??
      there[0] ??
      all.find((application) => application.knows(request))
    )
  }
  return {
    applications,
    find,
    answer: (request) => find(request)?.handle(request),
    reset() {
      for (const application of applications.values()) application.reset()
    },
  }
}

/**
 * An application whose address is the user's own is meant when its slug is a label of the host:
 * `https://gitlab.example.com`.
 */
function ofUser(
  applications: ReadonlyMap<string, Application>,
  { url }: WireRequest,
): Application | undefined {
  const labels = URL.canParse(url) ? new URL(url).hostname.split('.') : []
  const application = labels
    .map((label) => applications.get(label.replaceAll('-', '_')))
    .find((one) => one !== undefined)
  return application?.toolkit.manifest.base_url?.startsWith('{') ? application : undefined
}
