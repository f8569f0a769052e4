import type { ComponentType } from 'react'
import type { IconName } from '../components/icons.tsx'
import { DOCS_PAGES } from './docs-pages.ts'
import { OPERATE_PAGES } from './operate-pages.ts'

/** A page of the console. The code of a page is loaded when it is opened. */
export interface PageEntry {
  /** Path below `/console`, with parameters as wouter writes them: `/users/:id`. */
  path: string
  /** Name in the navigation and in the command palette. */
  title: string
  /** Pages with an icon are in the navigation; others are reached from a page. */
  icon?: IconName
  group: 'build' | 'operate' | 'settings' | 'help'
  /** Permission without which the page is not offered: `area:level`, `administrator`, or `unrestricted`. */
  needs?: string
  load(): Promise<{ default: ComponentType }>
}

/** Every page, in the order of the navigation. */
export const PAGES: readonly PageEntry[] = [
  {
    path: '/home',
    title: 'Home',
    icon: 'home',
    group: 'build',
    load: () => import('./home/home.tsx'),
  },
  {
    path: '/playground',
    title: 'Playground',
    icon: 'play',
    group: 'build',
    needs: 'tool_execution:write',
    load: () => import('./playground/playground.tsx'),
  },
  {
    path: '/agent',
    title: 'Agent',
    icon: 'agent',
    group: 'build',
    needs: 'tool_execution:write',
    load: () => import('./agent/agent.tsx'),
  },
  {
    path: '/applications',
    title: 'Applications',
    icon: 'apps',
    group: 'build',
    needs: 'toolkits:read',
    load: () => import('./applications/list.tsx'),
  },
  {
    path: '/applications/import',
    title: 'Import an API',
    group: 'build',
    needs: 'toolkits:write',
    load: () => import('./applications/import.tsx'),
  },
  {
    path: '/applications/:slug',
    title: 'Application',
    group: 'build',
    needs: 'toolkits:read',
    load: () => import('./applications/detail.tsx'),
  },
  ...OPERATE_PAGES,
  {
    path: '/settings/project',
    title: 'Project',
    icon: 'settings',
    group: 'settings',
    load: () => import('./settings/project.tsx'),
  },
  {
    path: '/settings/api-keys',
    title: 'API keys',
    icon: 'key',
    group: 'settings',
    needs: 'administrator',
    load: () => import('./settings/api-keys.tsx'),
  },
  {
    path: '/settings/organization-keys',
    title: 'Organization keys',
    icon: 'key',
    group: 'settings',
    needs: 'administrator',
    load: () => import('./settings/organization-keys.tsx'),
  },
  {
    path: '/settings/members',
    title: 'Members',
    icon: 'users',
    group: 'settings',
    needs: 'administrator',
    load: () => import('./settings/members.tsx'),
  },
  {
    path: '/settings/sso',
    title: 'Single sign-on',
    icon: 'lock',
    group: 'settings',
    needs: 'unrestricted',
    load: () => import('./settings/sso/sso.tsx'),
  },
  {
    path: '/settings/audit-log',
    title: 'Audit log',
    icon: 'clock',
    group: 'settings',
    needs: 'audit_log:read',
    load: () => import('./audit-log/audit-log.tsx'),
  },
  {
    path: '/settings/organization-audit-log',
    title: 'Organization log',
    icon: 'clock',
    group: 'settings',
    needs: 'administrator',
    load: () => import('./settings/organization-audit-log.tsx'),
  },
  {
    path: '/settings/profile',
    title: 'Profile',
    icon: 'user',
    group: 'settings',
    load: () => import('./settings/profile.tsx'),
  },
  {
    path: '/system',
    title: 'System',
    icon: 'system',
    group: 'settings',
    needs: 'administrator',
    load: () => import('./system/system.tsx'),
  },
  ...DOCS_PAGES,
]
