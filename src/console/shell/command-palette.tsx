import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { chooseProject } from '../api/project.ts'
import type { Me } from '../api/session.ts'
import { Dialog } from '../components/dialog.tsx'
import { Icon, type IconName } from '../components/icons.tsx'
import { pagesFor } from './navigation.tsx'
import { chooseTheme } from './theme.ts'

interface Command {
  title: string
  icon: IconName
  run(): void
}

interface PaletteProps {
  me: Me
  isOpen: boolean
  onClose(): void
}

/** Finds pages and commands by typing. Opens with ⌘K or Ctrl K. */
export const CommandPalette = (props: PaletteProps) => (
  <Dialog title="Go to" isOpen={props.isOpen} onClose={props.onClose}>
    <Commands {...props} />
  </Dialog>
)

function Commands({ me, onClose }: PaletteProps) {
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const [selected, setSelected] = useState(0)
  const listId = useId()
  const commands = useMemo(() => commandsFor(me, navigate), [me, navigate])
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = commands.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
  useEffect(() => setSelected(0), [text])
  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step && found.length) {
      event.preventDefault()
      setSelected((selected + step + found.length) % found.length)
    } else if (event.key === 'Enter') run(found[selected])
  }
  return (
    <div>
      <input
        className="input"
        role="combobox"
        aria-label="Page or command"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found[selected] && `${listId}-${selected}`}
        placeholder="Type the name of a page or command"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <ul role="listbox" id={listId} className="commands" aria-label="Pages and commands">
        {found.map((command, index) => (
          <li
            key={command.title}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === selected}
            className="option"
            data-highlighted={index === selected || undefined}
            onClick={() => run(command)}
            onMouseMove={() => setSelected(index)}
          >
            <Icon name={command.icon} />
            {command.title}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="popup-empty">Nothing found</p>}
    </div>
  )
}

const commandsFor = (me: Me, navigate: (path: string) => void): Command[] => [
  ...pagesFor(me).map(({ title, icon, path }) => ({
    title,
    icon: icon as IconName,
    run: () => navigate(path),
  })),
  ...me.projects.map(({ id, name }) => ({
    title: `Switch to project ${name}`,
    icon: 'folder' as const,
    run: () => chooseProject(id),
  })),
  { title: 'Theme: light', icon: 'sun', run: () => chooseTheme('light') },
  { title: 'Theme: dark', icon: 'moon', run: () => chooseTheme('dark') },
  { title: 'Theme: as the system', icon: 'monitor', run: () => chooseTheme('system') },
]
