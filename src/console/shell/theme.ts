import { createStore } from '../api/store.ts'

export type Theme = 'system' | 'light' | 'dark'
const KEY = 'patchbay.theme'
const stored = localStorage.getItem(KEY)

export const theme = createStore<Theme>(stored === 'light' || stored === 'dark' ? stored : 'system')

/** Applies the chosen theme to the document; the style follows `data-theme`. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = theme.get()
}

export function chooseTheme(next: Theme): void {
  localStorage.setItem(KEY, next)
  theme.set(next)
  applyTheme()
}
