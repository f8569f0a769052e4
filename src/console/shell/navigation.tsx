import { Link, useLocation } from 'wouter'
import { chooseProject, currentProject } from '../api/project.ts'
import { may, type Me, useBoot } from '../api/session.ts'
import { useStore } from '../api/store.ts'
import { Brand } from '../components/brand.tsx'
import { Icon } from '../components/icons.tsx'
import { Menu } from '../components/menu.tsx'
import { type PageEntry, PAGES } from '../pages/index.ts'
import { LiveStatus } from './live-status.tsx'

const GROUPS: readonly [PageEntry['group'], string][] = [
  ['build', 'Build'],
  ['operate', 'Operate'],
  ['settings', 'Settings'],
  ['help', 'Help'],
]

/** The pages that this person may open. */
export const pagesFor = (me: Me): readonly PageEntry[] =>
  PAGES.filter(({ icon, needs }) => icon !== undefined && (needs === undefined || may(me, needs)))

export function Navigation({ me }: { me: Me }) {
  const [location] = useLocation()
  const boot = useBoot()
  const pages = pagesFor(me)
  const isCurrent = ({ path }: PageEntry) =>
    path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`)
  return (
    <div className="navigation">
      <div className="brand">
        <Brand />
      </div>
      <ProjectSwitcher me={me} />
      <nav aria-label="Main">
        {GROUPS.map(([group, title]) => {
          const own = pages.filter((page) => page.group === group)
          return own.length === 0 ? null : (
            <div key={group}>
              <p className="group">{title}</p>
              <ul>
                {own.map((page) => (
                  <li key={page.path}>
                    <Link href={page.path} aria-current={isCurrent(page) ? 'page' : undefined}>
                      {page.icon && <Icon name={page.icon} />}
                      {page.title}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          )
        })}
      </nav>
      <div className="navigation-foot">
        <LiveStatus />
        {boot.data && <span>v{boot.data.version}</span>}
      </div>
    </div>
  )
}

function ProjectSwitcher({ me }: { me: Me }) {
  const project = useStore(currentProject)
  const current = me.projects.find(({ id }) => id === project)
  return (
    <Menu
      className="project-switcher"
      label={`Project: ${current?.name ?? 'none'}`}
      trigger={
        <>
          <span>{current?.name ?? 'No project'}</span>
          <Icon name="chevron" />
        </>
      }
      items={me.projects.map(({ id, name }) => ({
        label: name,
        isCurrent: id === project,
        onSelect: () => chooseProject(id),
      }))}
    />
  )
}
