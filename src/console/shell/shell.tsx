import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { currentProject, chooseProject } from '../api/project.ts'
import type { Me } from '../api/session.ts'
import { useStore } from '../api/store.ts'
import { Dialog } from '../components/dialog.tsx'
import { IconButton } from '../components/button.tsx'
import { Icon } from '../components/icons.tsx'
import { CommandPalette } from './command-palette.tsx'
import { Interruptions } from '../components/interruptions.tsx'
import { RestrictedForms } from '../components/read-only.tsx'
import { EmptyState } from '../components/states.tsx'
import { useIsProjectLost } from './lost-project.ts'
import { Navigation } from './navigation.tsx'
import { useSessionChanges } from './session-changes.ts'
import { ShowAsCode } from './show-as-code.tsx'
import { UserMenu } from './user-menu.tsx'

/** The frame around every page. */
export function Shell({ me, children }: { me: Me; children: ReactNode }) {
  const project = useStore(currentProject)
  const [location] = useLocation()
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const [isMenuOpen, setMenuOpen] = useState(false)
  useSessionChanges(me)
  const isKnown = me.projects.some(({ id }) => id === project)
  const isLost = useIsProjectLost(isKnown, project, location)
  const [first] = me.projects
  useEffect(() => {
    if (!isKnown && !isLost && first) chooseProject(first.id)
  }, [isKnown, isLost, first])
  useEffect(() => setMenuOpen(false), [location])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      setPaletteOpen((isOpen) => !isOpen)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <aside className="sidebar">
        <Navigation me={me} />
      </aside>
      <div className="column">
        <header className="top">
          <span className="only-narrow">
            <IconButton icon="menu" label="Open the navigation" onClick={() => setMenuOpen(true)} />
          </span>
          <button type="button" className="search" onClick={() => setPaletteOpen(true)}>
            <Icon name="search" />
            <span>Go to…</span>
            <kbd>{/mac/i.test(navigator.platform) ? '⌘K' : 'Ctrl K'}</kbd>
          </button>
          <ShowAsCode />
          <UserMenu me={me} />
        </header>
        <Interruptions />
        <main id="content" tabIndex={-1}>
          {isKnown || isLost ? (
            <RestrictedForms isAllowed={!isLost}>{children}</RestrictedForms>
          ) : (
            !first && <NoProject />
          )}
        </main>
      </div>
      <Dialog title="Navigation" shape="drawer" isOpen={isMenuOpen} onClose={() => setMenuOpen(false)}>
        <Navigation me={me} />
      </Dialog>
      <CommandPalette me={me} isOpen={isPaletteOpen} onClose={() => setPaletteOpen(false)} />
    </div>
  )
}

const NoProject = () => (
  <EmptyState icon="lock" title="You have no project">
    Your role gives you no project of this server. Ask an administrator to add you to one.
  </EmptyState>
)
