/** The steps of a search: those from state n are the edges `firstEdge[n]` to `firstEdge[n + 1]` - 1. */
export type Graph = {
  /** One more than there are states. */
  readonly firstEdge: Uint32Array;
  /** The state that each edge leads to. */
  readonly target: Uint32Array;
  /** The action of each edge, as the state that it starts from numbers it. */
  readonly action: Int32Array;
};

/** A graph that grows state by state, in order of their numbers. */
export type GrowingGraph = {
  firstEdge: Uint32Array;
  target: Uint32Array;
  action: Int32Array;
  states: number;
  edges: number;
};

/** A graph without a state. */
export function createGraph(): GrowingGraph {
  const size = 1 << 12;
  return {
    firstEdge: new Uint32Array(size),
    target: new Uint32Array(size),
    action: new Int32Array(size),
    states: 0,
    edges: 0,
  };
}

/** What the arrays take, slack included. */
export function graphBytes({ firstEdge, target, action }: GrowingGraph): number {
  return firstEdge.byteLength + target.byteLength + action.byteLength;
}

/**
 * Makes room for so many more states and edges; false, and nothing done, if the graph may not take the bytes that this
 * needs while it is done.
 */
export function reserve(
  graph: GrowingGraph,
  states: number,
  edges: number,
  mayTake: (bytes: number) => boolean,
): boolean {
  const sizeOfStates = sizeFor(graph.states + states + 1, graph.firstEdge.length);
  const sizeOfEdges = sizeFor(graph.edges + edges, graph.target.length);
  const growsStates = sizeOfStates > graph.firstEdge.length;
  const growsEdges = sizeOfEdges > graph.target.length;
  if (!growsStates && !growsEdges) return true;
  const more = (growsStates ? 4 * sizeOfStates : 0) + (growsEdges ? 8 * sizeOfEdges : 0);
  if (!mayTake(graphBytes(graph) + more)) return false;
  if (growsStates) growStates(graph, sizeOfStates);
  if (growsEdges) growEdges(graph, sizeOfEdges);
  return true;
}

function sizeFor(wanted: number, size: number): number {
  return wanted <= size ? size : Math.ceil(wanted * 1.5);
}

/** Begins the next state; there must be room. */
export function beginState(graph: GrowingGraph): void {
  graph.firstEdge[graph.states] = graph.edges;
  graph.states++;
}

function growStates(graph: GrowingGraph, size: number): void {
  const firstEdge = new Uint32Array(size);
  firstEdge.set(graph.firstEdge);
  graph.firstEdge = firstEdge;
}

function growEdges(graph: GrowingGraph, size: number): void {
  const target = new Uint32Array(size);
  target.set(graph.target);
  graph.target = target;
  const action = new Int32Array(size);
  action.set(graph.action);
  graph.action = action;
}

/** Adds an edge to the state begun last; there must be room. */
export function addEdge(graph: GrowingGraph, action: number, target: number): void {
  graph.target[graph.edges] = target;
  graph.action[graph.edges] = action;
  graph.edges++;
}

/** The graph over so many states; those that were never begun have no edges. Shares the arrays. */
export function finishedGraph(graph: GrowingGraph, states: number): Graph {
  const firstEdge = new Uint32Array(states + 1).fill(graph.edges);
  firstEdge.set(graph.firstEdge.subarray(0, graph.states));
  return {
    firstEdge,
    target: graph.target.subarray(0, graph.edges),
    action: graph.action.subarray(0, graph.edges),
  };
}
