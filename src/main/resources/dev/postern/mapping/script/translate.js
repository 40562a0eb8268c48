// Called by the TypeScript compiler's own context: (file, source) => JSON of what became of it.
(function (file, source) {
    var options = {
        target: ts.ScriptTarget.ES5,
        module: ts.ModuleKind.CommonJS,
        newLine: ts.NewLineKind.LineFeed,
        downlevelIteration: true,
        esModuleInterop: true,
        isolatedModules: true,
        allowJs: true,
        sourceMap: true
    };
    var problems = [];

    function problem(position, text) {
        var at = ts.getLineAndCharacterOfPosition(parsed, position);
        problems.push({line: at.line + 1, column: at.character + 1, text: text});
    }

    // No global of that name is there, but a literal would bring one's arithmetic in.
    function refuseBigInts(node) {
        if (node.kind === ts.SyntaxKind.BigIntLiteral) {
            problem(node.getStart(parsed), 'BigInt is not to be had here; use a number, or a string for an id');
        }
        ts.forEachChild(node, refuseBigInts);
    }

    var parsed = ts.createSourceFile(file, source, options.target, true);
    var made = ts.transpileModule(source, {fileName: file, compilerOptions: options, reportDiagnostics: true});
    made.diagnostics.forEach(function (diagnostic) {
        problem(diagnostic.start || 0, ts.flattenDiagnosticMessageText(diagnostic.messageText, ' '));
    });
    if (/\d\w*n/.test(source)) {
        refuseBigInts(parsed);
    }
    var code = made.outputText.replace(/\/\/# sourceMappingURL=.*\s*$/, '');
    var lines = ts.createSourceFile('code.js', code, options.target, false);
    var imports = ts.preProcessFile(code, true, true).importedFiles.map(function (imported) {
        return {specifier: imported.fileName, line: ts.getLineAndCharacterOfPosition(lines, imported.pos).line + 1};
    });
    return JSON.stringify({
        code: code,
        mappings: JSON.parse(made.sourceMapText).mappings,
        imports: imports,
        problems: problems
    });
})
