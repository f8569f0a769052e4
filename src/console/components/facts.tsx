import type { ReactNode } from 'react'

/** Names and values of one object. Values that are undefined are left out. */
export const Facts = ({ items }: { items: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="facts">
    {items
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value === 0 || value ? value : <span className="hint">none</span>}</dd>
        </div>
      ))}
  </dl>
)
