import type { PageEntry } from './index.ts'

const group = 'help'

/** The documentation. It is public: people who are not signed in read it too. */
export const DOCS_PAGES: readonly PageEntry[] = [
  { path: '/docs', title: 'Documentation', icon: 'book', group, load: () => import('./docs/docs.tsx') },
  { path: '/docs/api', title: 'API reference', group, load: () => import('./docs/api.tsx') },
  { path: '/docs/api/:operation', title: 'Operation', group, load: () => import('./docs/operation.tsx') },
  { path: '/docs/*', title: 'Guide', group, load: () => import('./docs/guide.tsx') },
]
