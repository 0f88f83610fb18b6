import ts from "typescript";

/**
 * Type checks the client, or what of it lies in these rooms, with the texts of another folder in place of the
 * English ones: what is missing there, takes other values or has other gaps is an error where it is used.
 */
export function errorsWith(folder: string, rooms = /./): string[] {
  const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
  const paths = { "@/texts/*": [`./${folder}/*`], ...config.compilerOptions.paths };
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, ".");
  const own = fileNames.filter((name) => rooms.test(name) && !/\.test\.|\/testing\//.test(name));
  const program = ts.createProgram(own, { ...options, paths });
  return own
    .map((name) => program.getSourceFile(name))
    .flatMap((file) => program.getSemanticDiagnostics(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}
