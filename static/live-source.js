// Where changes come from: one stream per browser, kept by a worker that all its tabs share. Where
// the server has no stream left, or the browser no shared workers, the same is asked for every few seconds.
"use strict";

const POLL_MS = 4_000;
const STREAM_AGAIN_MS = 30_000;

class LiveSource {
  // `tell` gets {kind: "state", mode}, {kind: "cursor", cursor} and {kind: "changed", data}.
  constructor({ events, changes, browser, cursor }, tell, streams) {
    Object.assign(this, { events, changes, browser, cursor, tell, mode: "waiting" });
    if (streams && events && typeof EventSource !== "undefined") this.stream();
    else this.poll();
  }

  stream() {
    this.source = new EventSource(`${this.events}?browser=${encodeURIComponent(this.browser)}`);
    this.source.addEventListener("hello", ({ data }) => {
      clearTimeout(this.polling);
      this.polling = 0;
      this.become("stream");
      this.cursor = JSON.parse(data).cursor;
      this.tell({ kind: "cursor", cursor: this.cursor });
    });
    this.source.addEventListener("changed", ({ data }) => this.changed(JSON.parse(data)));
    this.source.onerror = () => {
      // A server that is gone for a moment is tried again by the browser itself; a refusal is not.
      if (this.source.readyState !== EventSource.CLOSED) this.become("waiting");
      else {
        this.again = setTimeout(() => this.stream(), STREAM_AGAIN_MS);
        if (!this.polling) this.poll();
      }
    };
  }

  async poll() {
    this.polling = setTimeout(() => this.poll(), POLL_MS);
    try {
      const answer = await fetch(`${this.changes}?since=${this.cursor}`, { credentials: "same-origin", cache: "no-cache" });
      if (!answer.ok) throw new Error(`answered ${answer.status}`);
      const data = await answer.json();
      if (!this.polling) return;
      this.become("polling");
      if (data.cursor !== this.cursor) this.changed(data);
    } catch { this.become("waiting"); }
  }

  changed(data) {
    this.cursor = data.cursor;
    this.tell({ kind: "changed", data });
  }

  become(mode) {
    if (mode === this.mode) return;
    this.mode = mode;
    this.tell({ kind: "state", mode });
  }

  close() {
    this.source?.close();
    clearTimeout(this.polling);
    clearTimeout(this.again);
    this.polling = 0;
  }
}

if (typeof SharedWorkerGlobalScope !== "undefined" && self instanceof SharedWorkerGlobalScope) {
  const ports = new Set();
  let source = null;
  const tellAll = (message) => ports.forEach((port) => port.postMessage(message));
  self.onconnect = ({ ports: [port] }) => {
    port.onmessage = ({ data }) => {
      if (data.kind === "leave") {
        ports.delete(port);
        if (ports.size === 0) {
          source?.close();
          source = null;
        }
        return;
      }
      ports.add(port);
      if (!source) source = new LiveSource(data, tellAll, true);
      else {
        port.postMessage({ kind: "state", mode: source.mode });
        port.postMessage({ kind: "cursor", cursor: source.cursor });
      }
    };
  };
}
