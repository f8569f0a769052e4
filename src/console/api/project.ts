import { createStore } from './store.ts'

const KEY = 'patchbay.project'

/** Id of the project that the console shows. Two tabs may show different ones. */
export const currentProject = createStore<string | undefined>(
  sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? undefined,
)

export function chooseProject(id: string): void {
  sessionStorage.setItem(KEY, id)
  localStorage.setItem(KEY, id)
  currentProject.set(id)
}
