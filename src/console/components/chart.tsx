import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { theme } from '../shell/theme.ts'
import { useStore } from '../api/store.ts'
import { Button } from './button.tsx'

export interface Series {
  label: string
  /** A token of styles/tokens.css, such as `--accent`. */
  color: '--accent' | '--good' | '--bad' | '--warn' | '--soft'
  /** One value for each time; null for none. */
  values: readonly (number | null)[]
}

interface ChartProps {
  /** What the chart shows, with its unit. */
  label: string
  /** Times in milliseconds, in order. */
  times: readonly number[]
  series: readonly Series[]
  format?: (value: number) => string
}

const HEIGHT = 200
const SECOND_MS = 1_000
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' })
const plain = (value: number): string => value.toLocaleString()

/** Values over time as lines, and as a table for everybody who cannot see lines. Imported by file. */
export function Chart(props: ChartProps) {
  const [isTable, setTable] = useState(false)
  return (
    <figure className="chart">
      <figcaption>
        <span>{props.label}</span>
        <Button isSmall look="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'Show chart' : 'Show table'}
        </Button>
      </figcaption>
      {isTable ? <ValueTable {...props} /> : <Lines {...props} />}
    </figure>
  )
}

function Lines({ label, times, series, format = plain }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const chosenTheme = useStore(theme)
  const data = JSON.stringify([times, series])
  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    const style = getComputedStyle(element)
    const [ownTimes, ownSeries] = JSON.parse(data) as [number[], Series[]]
    const axis = {
      stroke: style.color,
      grid: { stroke: resolved(element, '--line'), width: 1 },
      ticks: { show: false },
    }
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        series: [
          {},
          ...ownSeries.map((one) => ({ label: one.label, stroke: resolved(element, one.color), width: 2 })),
        ],
        axes: [axis, { ...axis, values: (_plot, values) => values.map(format) }],
        cursor: { drag: { x: false, y: false } },
      },
      [
        ownTimes.map((time) => time / SECOND_MS),
        ...ownSeries.map((one) => [...one.values]),
      ] as uPlot.AlignedData,
      element,
    )
    const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }))
    resize.observe(element)
    return () => {
      resize.disconnect()
      plot.destroy()
    }
  }, [data, format, chosenTheme])
  return (
    <div ref={box} className="lines" role="img" aria-label={`${label}. Show the table to read the values.`} />
  )
}

/** Returns the colour of a token as the canvas needs it: `light-dark()` is resolved for elements only. */
function resolved(element: HTMLElement, token: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

const ValueTable = ({ label, times, series, format = plain }: ChartProps) => (
  <div className="table-box" tabIndex={0} role="region" aria-label={label}>
    <table>
      <thead>
        <tr>
          <th scope="col">Time</th>
          {series.map((one) => (
            <th key={one.label} scope="col">
              {one.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {times.map((time, index) => (
          <tr key={time}>
            <th scope="row">{exact.format(time)}</th>
            {series.map((one) => {
              const value = one.values[index]
              return <td key={one.label}>{value === null || value === undefined ? '–' : format(value)}</td>
            })}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
