import { createDemoProject } from '../../contract/projects/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import type { DemoProjects } from '../projects/index.ts'
import { type DemoLoader, loadDemoContent } from './load.ts'

export interface DemoDeps {
  projects: DemoProjects
  /** Returns how a project is filled; undefined if this server cannot simulate applications. */
  loaderFor: ((project: { projectId: string; key: string }) => DemoLoader) | undefined
}

export function demoRoutes(api: Api, { projects, loaderFor }: DemoDeps): void {
  api.on(createDemoProject, async ({ organizationId, useAlternateStatus }) => {
    if (!loaderFor) throw new ApiError('Project_DemoUnavailable', 'This server cannot simulate applications.')
    const { project, existing } = await projects.create(organizationId)
    if (existing) {
      useAlternateStatus()
      return existing
    }
    try {
      await loadDemoContent(loaderFor(project))
      return { id: project.projectId, name: project.name }
    } catch (error) {
      // Half a demo would look like a fault of the product.
      await projects.remove(organizationId, project.projectId)
      throw error
    } finally {
      await projects.removeKey(organizationId, project)
    }
  })
}
