/** A tool's definition contradicts itself; the message says where, and what to do. */
export class ContractMistake extends Error {
  constructor(tool: string, message: string) {
    super(`tool "${tool}": ${message}`);
    this.name = "ContractMistake";
  }
}
