import { join } from 'node:path'
import { type Catalog, prepareSearch, searchReady } from '../../catalog/index.ts'
import { createManagedAuth } from '../../features/auth-configs/index.ts'
import { deniesToolkit } from '../../features/policies/index.ts'
import { createCallCounter } from '../../features/logs/index.ts'
import {
  createCustomToolkits,
  createProjectCatalogs,
  customToolkitRoutes,
} from '../../features/toolkits/custom/index.ts'
import { importRoutes } from '../../features/toolkits/imports/index.ts'
import { createToolEmbeddings } from '../../features/tools/index.ts'
import { toolkitPresenter, toolkitRoutes } from '../../features/toolkits/index.ts'
import { systemWait } from '../../platform/clock.ts'
import type { Logger } from '../../platform/log.ts'
import type { AppOptions } from '../options.ts'
import type { HttpPart } from './http.ts'
import type { PlatformPart } from './platform.ts'

export type ToolkitsPart = ReturnType<typeof wireToolkits>

/** The toolkits that each project sees: built-in, imported by the administrator, and its own. */
export function wireToolkits(options: AppOptions, platform: PlatformPart, { api }: HttpPart) {
  const { db, changes, egress, clock, log, publicUrl } = platform
  const catalogs = createProjectCatalogs({
    db,
    folder: join(options.cacheDir, 'toolkits'),
    builtIn: () => options.toolkitsFolder?.catalog() ?? options.catalog,
    mayCache: () => changes.connected,
    prepare:
      options.searches === false
        ? undefined
        : (catalog, previous) =>
            prepareSearch(catalog, { folder: options.sharedCacheDir ?? options.cacheDir, previous }),
    log,
  })
  changes.on(
    'toolkits_changed',
    ({ projectId }) => catalogs.forget(projectId ?? ''),
    () => catalogs.forget(),
  )
  followFolder(options, log, catalogs.refreshInstance)
  const { instance } = catalogs
  const embeddings = wireEmbeddings(options, platform, instance)
  const catalogOf = (projectId: string) => catalogs.of(projectId)
  const customToolkits = createCustomToolkits({ db, catalogs })
  const managed = options.managed ?? createManagedAuth(options.catalog)
  const managedSchemes = managed.schemes
  const { logo } = toolkitPresenter({ publicUrl, managedSchemes })
  toolkitRoutes(api, {
    catalogOf,
    publicUrl,
    managedSchemes,
    isDenied: (projectId, slug) => deniesToolkit(db, projectId, slug),
    callsByToolkit: createCallCounter(db),
  })
  customToolkitRoutes(api, { customToolkits, catalogOf })
  importRoutes(api, { customToolkits, egress, clock })
  return {
    /** Loads the toolkits that the administrator added, and removes files of the cache that nothing uses. */
    async load() {
      await catalogs.refreshInstance()
      embeddings?.prepareWhenReady()
      void catalogs
        .sweep()
        .catch((error: unknown) =>
          log.debug({ err: error }, 'old files of the toolkit cache were not removed'),
        )
    },
    catalogOf,
    instance,
    embeddings,
    customToolkits,
    managed,
    managedSchemes,
    logo,
    /** The label of a toolkit in metrics: custom toolkits share one, because anyone can create them. */
    metricLabel: (slug: string) => (instance().toolkit(slug) ? slug : 'custom'),
  }
}

/** Uses changes of the administrator's folder of toolkits. */
function followFolder({ toolkitsFolder }: AppOptions, log: Logger, refresh: () => Promise<void>): void {
  toolkitsFolder?.onChange(() => {
    refresh().catch((error: unknown) =>
      log.error({ err: error }, 'toolkits folder: its changes could not be used yet'),
    )
  })
}

/** The vectors of tools, if there is an embedding model and this process searches. */
function wireEmbeddings(
  { embeddings: model, searches, wait = systemWait }: AppOptions,
  { db, log }: PlatformPart,
  instance: () => Catalog,
) {
  if (!model || searches === false) return undefined
  const embeddings = createToolEmbeddings({ db, model, instance, wait, log })
  return {
    ...embeddings,
    /** Loads or makes vectors once the search is prepared. */
    prepareWhenReady: () =>
      void searchReady(instance()).then(embeddings.prepare, (error: unknown) =>
        log.warn({ err: error }, 'vectors of tools are loaded at the first search'),
      ),
  }
}
