import type { sessionConfigHistory } from '../../../contract/sessions/index.ts'
import type { ReplyOf } from '../../../contract/route.ts'
import { useApiList } from '../../api/index.ts'
import { DateTime, JsonView, Loaded, Pagination, StatusBadge } from '../../components/index.ts'

type Version = ReplyOf<typeof sessionConfigHistory>['items'][number]

/** Each version of the configuration, with what changed since the one before. */
export function History({ path }: { path: string }) {
  const history = useApiList<Version>({ path: `${path}/config_history` }, 20)
  return (
    <Loaded query={{ ...history, data: history.rows }}>
      {(versions) => (
        <>
          <ol className="timeline">
            {/* The version before the last one of a page is on the next page. */}
            {(history.hasNextPage ? versions.slice(0, -1) : versions).map((version, index) => (
              <li key={version.version}>
                <p>
                  Version {version.version} <DateTime value={version.created_at} />{' '}
                  {version.is_current && <StatusBadge status="ACTIVE" label="Current" />}
                </p>
                <Changes current={version.config} former={versions[index + 1]?.config} />
              </li>
            ))}
          </ol>
          <Pagination of={history} />
        </>
      )}
    </Loaded>
  )
}

/** The parts of a configuration that differ from the former one; all of the first version. */
function Changes({ current, former }: { current: object; former: object | undefined }) {
  if (!former) return <JsonView label="Configuration" value={current} />
  const before = former as Record<string, unknown>
  const changed = Object.entries(current).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  const removed = Object.keys(before).filter((name) => !(name in current))
  return (
    <>
      {changed.map(([name, value]) => (
        <div key={name}>
          <h3>{name}</h3>
          <JsonView label="Before" value={before[name] ?? null} />
          <JsonView label="After" value={value} />
        </div>
      ))}
      {removed.length > 0 && <p>Removed: {removed.join(', ')}.</p>}
      {changed.length + removed.length === 0 && <p className="hint">Nothing changed.</p>}
    </>
  )
}
