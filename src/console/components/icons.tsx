/** Paths of our own icons in a box of 24 × 24, drawn with strokes. */
const PATHS = {
  home: 'M3 11l9-8 9 8v9a1 1 0 01-1 1h-5v-6H9v6H4a1 1 0 01-1-1z',
  play: 'M6 4l14 8-14 8z',
  apps: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z',
  users:
    'M16 20v-2a4 4 0 00-4-4H7a4 4 0 00-4 4v2M9.5 10a3.5 3.5 0 100-7 3.5 3.5 0 000 7M21 20v-2a4 4 0 00-3-3.9M16 ' +
    '3.2a3.5 3.5 0 010 6.6',
  user: 'M19 21v-2a5 5 0 00-5-5h-4a5 5 0 00-5 5v2M12 11a4 4 0 100-8 4 4 0 000 8',
  agent: 'M12 3v4M7 7h10a3 3 0 013 3v7a3 3 0 01-3 3H7a3 3 0 01-3-3v-7a3 3 0 013-3M9 13h.01M15 13h.01',
  shield: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6z',
  approval: 'M9 12l2 2 4-4M12 21a9 9 0 100-18 9 9 0 000 18',
  trigger: 'M13 2L4 14h7l-1 8 9-12h-7z',
  webhook: 'M4 12h16M14 6l6 6-6 6',
  events: 'M4 12h3l3-8 4 16 3-8h3',
  logs: 'M4 6h16M4 12h16M4 18h10',
  settings:
    'M12 15a3 3 0 100-6 3 3 0 000 6M19.4 15a1.7 1.7 0 00.3 1.8l.1.1a2 2 0 11-2.8 2.8l-.1-.1a1.7 1.7 0 00-2.9 ' +
    '1.2v.2a2 2 0 11-4 0v-.1a1.7 1.7 0 00-2.9-1.2l-.1.1a2 2 0 11-2.8-2.8l.1-.1A1.7 1.7 0 003 14H3a2 2 0 ' +
    '110-4h.1a1.7 1.7 0 001.2-2.9L4.2 7a2 2 0 112.8-2.8l.1.1A1.7 1.7 0 0010 3.100V3a2 2 0 114 0v.1a1.7 1.7 0 002.9 ' +
    '1.200l.1-.1a2 2 0 112.8 2.800l-.1.1A1.7 1.7 0 0020.9 10H21a2 2 0 110 4h-.1a1.7 1.7 0 00-1.5 1z',
  system: 'M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01',
  key: 'M15 7a4 4 0 11-3.9 5H8v3H5v-3H3V9h8.100A4 4 0 0115 7zM16 11h.01',
  book: 'M4 5a2 2 0 012-2h14v16H6a2 2 0 00-2 2zM4 19V5M20 19v2H6',
  search: 'M11 18a7 7 0 100-14 7 7 0 000 14M21 21l-5-5',
  check: 'M5 13l4 4L19 7',
  close: 'M6 6l12 12M18 6L6 18',
  chevron: 'M6 9l6 6 6-6',
  right: 'M9 6l6 6-6 6',
  left: 'M15 6l-6 6 6 6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  code: 'M8 6l-6 6 6 6M16 6l6 6-6 6',
  menu: 'M4 6h16M4 12h16M4 18h16',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  plus: 'M12 5v14M5 12h14',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  refresh: 'M20 11a8 8 0 10-2.3 6.300M20 4v7h-7',
  download: 'M12 3v12M7 10l5 5 5-5M4 20h16',
  upload: 'M12 21V9M7 14l5-5 5 5M4 4h16',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  bell: 'M6 9a6 6 0 1112 0c0 5 2 6 2 7H4c0-1 2-2 2-7M10 20a2 2 0 004 0',
  warning: 'M12 3l10 18H2zM12 10v4M12 17h.01',
  info: 'M12 21a9 9 0 100-18 9 9 0 000 18M12 11v5M12 8h.01',
  filter: 'M3 5h18l-7 8v6l-4 2v-8z',
  pause: 'M8 5v14M16 5v14',
  sun:
    'M12 16a4 4 0 100-8 4 4 0 000 8M12 2v2M12 20v2M4.9 4.900l1.4 1.400M17.7 17.700l1.4 1.400M2 12h2M20 12h2M4.9 ' +
    '19.100l1.4-1.400M17.7 6.300l1.4-1.4',
  moon: 'M20 14.500A8.5 8.5 0 119.5 4a7 7 0 0010.5 10.500z',
  monitor: 'M3 4h18v12H3zM8 20h8M12 16v4',
  logout: 'M10 4H4v16h6M15 8l4 4-4 4M19 12H9',
  folder: 'M3 6h6l2 2h10v11H3z',
  clock: 'M12 21a9 9 0 100-18 9 9 0 000 18M12 7v5l3 2',
  lock: 'M6 11h12v9H6zM8 11V8a4 4 0 018 0v3',
} as const

export type IconName = keyof typeof PATHS

/** A decorative icon. Its meaning must also be in a text or label. */
export const Icon = ({ name, size = 17 }: { name: IconName; size?: number }) => (
  <svg
    className="icon"
    viewBox="0 0 24 24"
    width={size}
    height={size}
    fill="none"
    stroke="currentColor"
    strokeWidth="1.8"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={PATHS[name]} />
  </svg>
)
