import net from 'node:net'

const LOCAL = new Set(['127.0.0.1', '::1', 'localhost'])

export interface Outside {
  /** Hosts, other than this machine, to which this process tried to connect. */
  readonly hosts: readonly string[]
  /** The next such host. */
  next(): Promise<string>
  /** Lets connections out again. */
  end(): void
}

/** Rejects and records every connection that would leave the machine, whatever opens it: `fetch`, http, a driver. */
export function watchOutside(): Outside {
  const hosts: string[] = []
  const waiting: ((host: string) => void)[] = []
  const connect = net.Socket.prototype.connect
  net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
    // Callers inside Node hand over their arguments already sorted into one list.
    const [first] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args
    const { host = 'localhost', path } = (typeof first === 'object' && first !== null ? first : {}) as {
      host?: string
      path?: string
    }
    if (path === undefined && !LOCAL.has(host)) {
      hosts.push(host)
      waiting.splice(0).forEach((notify) => notify(host))
      process.nextTick(() => this.destroy(new Error(`Tests stay on this machine; something called ${host}.`)))
      return this
    }
    return connect.apply(this, args as never)
  } as typeof connect
  return {
    hosts,
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
      }),
    end() {
      net.Socket.prototype.connect = connect
    },
  }
}
